// What runs side by side must not be read mixed: each speaks whole, in the order in which it was given its turn.

export interface Turn {
  /** Text with its line ends. */
  readonly print: (text: string) => void;
  readonly end: () => void;
}

/** The first that has not ended is heard at once, the others when it is their turn. */
export function createTurns(print: (text: string) => void): { readonly next: () => Turn } {
  const turns: { heldBack: string; isEnded: boolean }[] = [];
  const goOn = (): void => {
    for (let [first] = turns; first !== undefined; [first] = turns) {
      print(first.heldBack);
      first.heldBack = '';
      if (!first.isEnded) return;
      turns.shift();
    }
  };
  return {
    next() {
      const turn = { heldBack: '', isEnded: false };
      turns.push(turn);
      return {
        print(text) {
          turn.heldBack += text;
          goOn();
        },
        end() {
          turn.isEnded = true;
          goOn();
        },
      };
    },
  };
}
