/** How somebody likes it: theme, four-colour deck, sound, coach; kept in this browser. */

const KEY = "feltworks.taste";
type Theme = "light" | "dark";

interface Kept {
  theme: Theme | null; // null follows the system
  fourColour: boolean;
  sound: boolean;
  coach: boolean;
}

const DEFAULTS: Kept = { theme: null, fourColour: false, sound: false, coach: false };

function kept(): Kept {
  try {
    return { ...DEFAULTS, ...(JSON.parse(localStorage.getItem(KEY) ?? "{}") as Partial<Kept>) };
  } catch {
    return DEFAULTS;
  }
}

const dark = matchMedia("(prefers-color-scheme: dark)");

class Taste {
  #kept = $state(kept());
  #systemIsDark = $state(dark.matches);

  constructor() {
    dark.addEventListener("change", (event) => (this.#systemIsDark = event.matches));
  }

  get theme(): Theme {
    return this.#kept.theme ?? (this.#systemIsDark ? "dark" : "light");
  }
  get fourColour(): boolean {
    return this.#kept.fourColour;
  }
  get sound(): boolean {
    return this.#kept.sound;
  }
  get coach(): boolean {
    return this.#kept.coach;
  }

  /** Change some of it, and keep it. */
  set(change: Partial<Kept>): void {
    this.#kept = { ...this.#kept, ...change };
    try {
      localStorage.setItem(KEY, JSON.stringify(this.#kept));
    } catch {
      // a browser that keeps nothing still shows what was chosen
    }
  }
}

export const taste = new Taste();
