import { mount } from "svelte";
import App from "./App.svelte";
import "./app.css";
import "./layout.css";
import "./shapes.css";
import "./looks.css";
import { install } from "./lib/offline.svelte";

mount(App, { target: document.getElementById("app")! });
install();
