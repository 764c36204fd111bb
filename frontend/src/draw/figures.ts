/** How numbers and words are written into a drawing. */

export const tenth = (value: number): number => Math.round(value * 10) / 10;
export const hundredth = (value: number): number => Math.round(value * 100) / 100;
export const escape = (text: string): string => text.replace(/&/g, "&amp;").replace(/</g, "&lt;");
