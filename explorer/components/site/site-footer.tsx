import { useApi } from '../../api/loaded.ts';

export function SiteFooter() {
  const status = useApi('/extended');
  return (
    <footer class="site-footer">
      <span>{status.state === 'ready' ? status.data.server_version : 'Cairn'}</span>
      <a href="/docs">API reference</a>
      <a href="/openapi.json">OpenAPI document</a>
    </footer>
  );
}
