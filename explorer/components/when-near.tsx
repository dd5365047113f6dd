import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

/** How far below the window content is made, in pixels. */
const NEAR = 200;

/** Content that is made, and read from the server, once it is near the window. */
export function WhenNear({ children }: { children: () => ComponentChildren }) {
  const place = useRef<HTMLDivElement>(null);
  const [near, setNear] = useState(false);
  useEffect(() => {
    const observer = new IntersectionObserver(
      entries => {
        if (!entries.some(entry => entry.isIntersecting)) return;
        observer.disconnect();
        setNear(true);
      },
      { rootMargin: `${NEAR}px 0px` },
    );
    observer.observe(place.current!);
    return () => observer.disconnect();
  }, []);
  return (
    <div ref={place} class={near ? undefined : 'plot'}>
      {near && children()}
    </div>
  );
}
