import { mount } from "svelte";
import App from "./App.svelte";
import "./app.css";
import "./layout.css";
import "./shapes.css";

mount(App, { target: document.getElementById("app")! });
