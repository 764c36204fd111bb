import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";

const server = process.env["FELT_SERVER"] ?? "http://127.0.0.1:8000";

export default defineConfig(({ mode }) => ({
  plugins: [svelte()],
  build: { outDir: "../src/feltworks/web/static", emptyOutDir: true, target: "es2022", chunkSizeWarningLimit: 200 },
  server: { proxy: { "/api": { target: server, ws: true } } },
  test: { include: ["tests/**/*.test.ts"] },
  ...(mode === "test" ? { resolve: { conditions: ["browser"] } } : {}),
}));
