/** Where the pages begin in the browser. */
import { hasNoPlace, openedLink } from "./frame/Fragment.ts"
import "./pages.css"
import { QueryClientProvider } from "@tanstack/react-query"
import { RouterProvider } from "@tanstack/react-router"
import { createRoot } from "react-dom/client"
import { start } from "./frame/Entering.ts"
import { startMessages } from "./frame/FrameMessages.ts"
import { startOldPage } from "./frame/OldPage.ts"
import { queryClient } from "./frame/QueryCache.ts"
import { router } from "./frame/RouteTree.tsx"
import { startScheme } from "./frame/SchemeChoice.ts"
import { settings } from "./frame/Settings.ts"

document.title = settings.name
startScheme()
startOldPage()
startMessages((place) => void router.navigate({ href: place }))

// The sign / goes to the search of the page, as in most lists of its kind.
document.addEventListener("keydown", (event) => {
  const { activeElement } = document
  const isTyping = activeElement instanceof HTMLElement && /^(INPUT|TEXTAREA|SELECT)$/.test(activeElement.tagName)
  if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || isTyping) return
  const search = document.querySelector<HTMLElement>("[data-search]")
  if (search === null || document.querySelector("dialog[open]") !== null) return
  event.preventDefault()
  search.focus()
})

createRoot(document.getElementById("root")!).render(
  <QueryClientProvider client={queryClient}>
    <RouterProvider router={router} />
  </QueryClientProvider>
)

void start(openedLink, hasNoPlace)
