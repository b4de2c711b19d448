/** Search, and the choice of light or dark. Without a server nothing can be fetched: what is searched comes as a script. */
const { base } = document.currentScript.dataset
const root = document.documentElement
const search = document.querySelector("#search")
const results = document.querySelector("#results")
const contents = document.querySelector("nav details")

const stored = {
  get: () => {
    try {
      return localStorage.getItem("scheme")
    } catch {
      return null
    }
  },
  set: (scheme) => {
    try {
      localStorage.setItem("scheme", scheme)
    } catch {}
  }
}
const isDark = () =>
  (root.style.colorScheme || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark"
if (stored.get()) root.style.colorScheme = stored.get()
document.querySelector("#scheme").onclick = () => {
  root.style.colorScheme = isDark() ? "light" : "dark"
  stored.set(root.style.colorScheme)
}

if (matchMedia("(max-width: 52rem)").matches) contents.open = false
document.querySelector("nav [aria-current]")?.scrollIntoView({ block: "center" })
if (!location.hash) scrollTo(0, 0)

const script = (name) =>
  new Promise((resolve, reject) => {
    const element = Object.assign(document.createElement("script"), {
      src: `${base}site/${name}`,
      onload: resolve,
      onerror: reject
    })
    document.head.append(element)
  })

let index
const opened = () => {
  index ??= Promise.all([script("minisearch.js"), script("parts.js")]).then(() => {
    const found = new MiniSearch({
      fields: ["heading", "page", "text"],
      storeFields: ["page", "heading", "to", "text"]
    })
    found.addAll(trunklineParts.map((part, id) => ({ id, ...part })))
    return found
  })
  return index
}

const marked = (text, terms) => {
  const at = Math.max(
    0,
    Math.min(...terms.map((term) => text.toLowerCase().indexOf(term)).filter((place) => place >= 0)) - 60
  )
  const piece = text.slice(Number.isFinite(at) ? at : 0, (Number.isFinite(at) ? at : 0) + 180)
  const fragment = document.createElement("small")
  const pattern = new RegExp(`(${terms.map((term) => term.replace(/[^\p{L}\p{N}]/gu, "\\$&")).join("|")})`, "giu")
  for (const [nth, word] of piece.split(pattern).entries())
    fragment.append(nth % 2 === 1 ? Object.assign(document.createElement("mark"), { textContent: word }) : word)
  return fragment
}

const show = async () => {
  const words = search.value.trim()
  results.hidden = words === ""
  if (words === "") return
  const all = (await opened()).search(words, {
    prefix: true,
    fuzzy: 0.15,
    combineWith: "AND",
    boost: { heading: 4, page: 2 }
  })
  if (search.value.trim() !== words) return
  results.replaceChildren(
    ...all.slice(0, 20).map(({ heading, page, terms, text, to }, nth) => {
      const link = Object.assign(document.createElement("a"), { href: base + to, className: nth === 0 ? "first" : "" })
      link.append(heading === "" ? page : `${page}: ${heading}`, marked(text, terms))
      link.onclick = () => {
        results.hidden = true
      }
      return link
    })
  )
  if (all.length === 0)
    results.append(Object.assign(document.createElement("p"), { textContent: "Nothing has these words." }))
}

search.onfocus = opened
search.oninput = show
document.onkeydown = ({ key, target }) => {
  if (key === "/" && target !== search) setTimeout(() => search.focus())
  if (key === "Escape") {
    results.hidden = true
    search.blur()
  }
  if (key === "Enter" && target === search) results.querySelector("a")?.click()
}
document.onclick = ({ target }) => {
  if (!results.contains(target) && target !== search) results.hidden = true
}
