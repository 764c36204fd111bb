/** The box every card is drawn in. */
export const CARD = { W: 240, H: 336 } as const;
