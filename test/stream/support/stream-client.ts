/** One event of a stream. */
export type StreamEvent = { id: string; event: string; data: { position: string; block: { height: number } } };

/** Reads Server-Sent Events one after the other. */
export async function openStream(url: string, headers: Record<string, string> = {}) {
  const controller = new AbortController();
  const response = await fetch(url, { headers, signal: controller.signal });
  if (response.status !== 200) throw new Error(`${url} was answered with ${response.status}: ${await response.text()}`);
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  const more = async () => {
    const { value, done } = await reader.read();
    text += value ?? '';
    return !done;
  };
  return {
    /** So many events; comments are passed over. */
    async take(count: number): Promise<StreamEvent[]> {
      const events: StreamEvent[] = [];
      while (events.length < count) {
        const end = text.indexOf('\n\n');
        if (end < 0) {
          if (!(await more())) throw new Error(`the stream ended: ${text}`);
          continue;
        }
        const fields = Object.fromEntries(
          text
            .slice(0, end)
            .split('\n')
            .map(line => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
        );
        text = text.slice(end + 2);
        if (fields.data) events.push({ id: fields.id ?? '', event: fields.event ?? '', data: JSON.parse(fields.data) });
      }
      return events;
    },
    /** All that comes until the server ends the stream. */
    async rest(): Promise<string> {
      while (await more());
      return text;
    },
    close: () => controller.abort(),
  };
}
