/** The player's preferences, stored in this browser: theme, four-colour deck, sound, coach. */

const KEY = "feltworks.taste";
type Theme = "light" | "dark";

interface Kept {
  theme: Theme | null; // null follows the system
  fourColour: boolean;
  sound: boolean;
  coach: boolean;
  leftHanded: boolean; // choices on the left of a phone held sideways
}

const DEFAULTS: Kept = { theme: null, fourColour: false, sound: false, coach: false, leftHanded: false };

function readPreferences(): Kept {
  try {
    return { ...DEFAULTS, ...(JSON.parse(localStorage.getItem(KEY) ?? "{}") as Partial<Kept>) };
  } catch {
    return DEFAULTS;
  }
}

const dark = matchMedia("(prefers-color-scheme: dark)");

class Taste {
  #kept = $state(readPreferences());
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

  get leftHanded(): boolean {
    return this.#kept.leftHanded;
  }

  /** Change and store preferences. */
  set(change: Partial<Kept>): void {
    this.#kept = { ...this.#kept, ...change };
    try {
      localStorage.setItem(KEY, JSON.stringify(this.#kept));
    } catch {
      // a browser that keeps nothing still shows what was chosen
    }
  }
}

export const preferences = new Taste();
