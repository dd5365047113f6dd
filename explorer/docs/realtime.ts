import asyncApiUrl from '../../docs/asyncapi.json?url';

type AsyncApi = {
  channels: Record<
    string,
    { address?: string; title?: string; description?: string; messages?: Record<string, unknown> }
  >;
  operations?: Record<string, { title?: string; summary?: string; description?: string }>;
  info: { description?: string };
};

/** Lists the channels of the AsyncAPI document below the HTTP reference. */
export async function showRealtime(section: HTMLElement): Promise<void> {
  const document = (await (await fetch(asyncApiUrl)).json()) as AsyncApi;
  section.replaceChildren(
    element('h2', 'Realtime'),
    element('p', document.info.description ?? ''),
    ...Object.entries(document.channels).map(([name, channel]) => {
      const details = element('details');
      const messages = Object.keys(channel.messages ?? {});
      details.append(element('summary', `${channel.title ?? name} ${channel.address ?? ''}`));
      if (channel.description) details.append(element('p', channel.description));
      if (messages.length > 0) {
        const list = element('ul');
        list.append(...messages.map(message => element('li', message)));
        details.append(list);
      }
      return details;
    }),
    link(asyncApiUrl, 'AsyncAPI document'),
  );
}

function element(name: string, text = ''): HTMLElement {
  const made = document.createElement(name);
  made.textContent = text;
  return made;
}

function link(href: string, text: string): HTMLElement {
  const made = document.createElement('a');
  made.href = href;
  made.textContent = text;
  return made;
}
