/** The browser side begins here. */
import { mount } from "svelte";
import App from "./App.svelte";
import "./styles/tokens.css";
import "./styles/ui.css";
import "./styles/felt.css";
import "./styles/motion.css";
import "./styles/app.css";

mount(App, { target: document.getElementById("app")! });
