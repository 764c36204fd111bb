/** How wide the screen is, as the pages ask: each is true or false now and changes with the window. */
import { MediaQuery } from "svelte/reactivity";

const SIDEWAYS = "(orientation: landscape) and (max-height: 520px)"; // a phone held sideways
export const screen = {
  narrow: new MediaQuery("(max-width: 900px)"),
  upright: new MediaQuery("(max-width: 700px)"), // a phone held upright
  sideways: new MediaQuery(SIDEWAYS),
  phone: new MediaQuery(`(max-width: 700px), ${SIDEWAYS}`),
};
