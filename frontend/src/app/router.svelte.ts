/** Addresses: which page is shown, and how one gets to another without loading the document again. */

export interface Route {
  page:
    "lobby" | "table" | "lab" | "house" | "rules" | "chair" | "trainer" | "rounds" | "help" | "protection" | "nowhere";
  of: string; // the table's id, the game's name, or what follows the page's own address
}

const PAGES: readonly (readonly [RegExp, Route["page"]])[] = [
  [/^\/$/, "lobby"],
  [/^\/table\/([^/]+)$/, "table"],
  [/^\/lab(?:\/(.*))?$/, "lab"],
  [/^\/house(?:\/(.*))?$/, "house"],
  [/^\/rules(?:\/([^/]*))?$/, "rules"],
  [/^\/chair(?:\/([^/]*))?$/, "chair"],
  [/^\/trainer(?:\/([^/]*))?$/, "trainer"],
  [/^\/rounds$/, "rounds"],
  [/^\/help(?:\/(.*))?$/, "help"],
  [/^\/protection(?:\/([^/]*))?$/, "protection"],
];

/** The page at a path. */
export function routeOf(path: string): Route {
  for (const [pattern, page] of PAGES) {
    const match = pattern.exec(path);
    if (match) return { page, of: decodeURIComponent(match[1] ?? "") };
  }
  return { page: "nowhere", of: path };
}

class Router {
  path = $state(location.pathname);
  search = $state(location.search);
  hash = $state(location.hash);
  route = $derived(routeOf(this.path));

  /** Go to an address of ours. */
  go(address: string): void {
    history.pushState(null, "", address);
    this.read();
    if (!location.hash) scrollTo(0, 0);
  }

  /** Change the address without a step in the history. */
  replace(address: string): void {
    history.replaceState(null, "", address);
    this.read();
  }

  read = (): void => {
    this.path = location.pathname;
    this.search = location.search;
    this.hash = location.hash;
  };
}

export const router = new Router();

/** Follow links of ours without loading the document; all others are the browser's. */
export function follow(event: MouseEvent): void {
  if (event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)
    return;
  const link = (event.target as Element | null)?.closest?.("a[href]");
  if (
    !(link instanceof HTMLAnchorElement) ||
    link.target ||
    link.origin !== location.origin ||
    link.hasAttribute("download")
  )
    return;
  if (routeOf(link.pathname).page === "nowhere") return;
  event.preventDefault();
  router.go(link.pathname + link.search + link.hash);
}
