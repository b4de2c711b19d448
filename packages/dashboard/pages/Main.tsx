/** Where the pages begin in the browser. */
import { StrictMode } from "react"
import { createRoot } from "react-dom/client"
import "./pages.css"
import type { PageSettings } from "../src/PageSettings.ts"

/** The server has written the block into the page, once when it started. */
const settings: PageSettings = JSON.parse(document.getElementById("settings")?.textContent ?? "{}")
document.title = settings.name

createRoot(document.getElementById("root")!).render(
  <StrictMode>
    <main>
      <h1>{settings.name}</h1>
    </main>
  </StrictMode>
)
