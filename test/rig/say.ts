// Long steps must show that they live; this is how the harness speaks on the terminal.

export function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** Runs a step that takes long: says its name, every ten seconds that it still runs, and how long it took. */
export async function step<T>(name: string, run: () => Promise<T>): Promise<T> {
  const started = performance.now();
  const seconds = (): string => `${String(Math.round((performance.now() - started) / 1000))} s`;
  say(`${name} …`);
  const timer = setInterval(() => say(`${name} … ${seconds()}`), 10_000);
  try {
    const result = await run();
    say(`${name}: done in ${seconds()}`);
    return result;
  } finally {
    clearInterval(timer);
  }
}
