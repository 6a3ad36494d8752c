/** How often each thing happened over many histories, so that nobody believes in a world where nothing does. */
export class Coverage {
  readonly #counts = new Map<string, Map<string, number>>();

  saw(topic: string, what: string, times = 1): void {
    const counts = this.#counts.get(topic) ?? new Map<string, number>();
    counts.set(what, (counts.get(what) ?? 0) + times);
    this.#counts.set(topic, counts);
  }

  count(topic: string, what: string): number {
    return this.#counts.get(topic)?.get(what) ?? 0;
  }

  add(other: Coverage): void {
    for (const [topic, counts] of other.#counts) for (const [what, count] of counts) this.saw(topic, what, count);
  }

  /** Of what must happen, what never did. */
  missing(wanted: Readonly<Record<string, readonly string[]>>): readonly string[] {
    return Object.entries(wanted).flatMap(([topic, whats]) =>
      whats.filter((what) => this.count(topic, what) === 0).map((what) => `${topic}: ${what}`),
    );
  }

  /** A line a topic, the most frequent first. */
  table(): string {
    const width = Math.max(0, ...[...this.#counts.keys()].map(({ length }) => length));
    return [...this.#counts]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([topic, counts]) => {
        const sorted = [...counts].sort(([, a], [, b]) => b - a).map(([what, count]) => `${what} ${count}`);
        return `${topic.padEnd(width)}  ${sorted.join(' · ')}`;
      })
      .join('\n');
  }
}
