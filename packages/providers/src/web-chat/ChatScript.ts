/** The script of a page that has the chat, carried as text: what is in it runs in browsers. It needs nothing but the page. */
export const chatScript = String.raw`"use strict";
(() => {
  const script = document.currentScript;
  const base = script.src.replace(/\/chat\.js(?:\?.*)?$/, "");
  const title = script.dataset.title || "Chat";
  const key = "chat " + base;
  const [soonMs, lateMs, calmMs] = [1500, 10000, 60000];

  // A page without storage has the conversation until it is left.
  let token = null;
  const kept = () => { try { return localStorage.getItem(key); } catch { return token; } };
  const keep = (value) => {
    token = value;
    try { value === null ? localStorage.removeItem(key) : localStorage.setItem(key, value); } catch {}
  };

  const ask = async (resource, body) => {
    const answer = await fetch(base + "/" + resource, { method: "POST", body: JSON.stringify(body), credentials: "omit" });
    return { status: answer.status, retryAfter: Number(answer.headers.get("retry-after")), body: await answer.json() };
  };

  let beginning = null;
  const session = () => {
    token = kept();
    if (token !== null) return Promise.resolve(token);
    beginning ??= ask("session", {}).then(({ body, status }) => {
      beginning = null;
      if (status !== 200) throw new Error("no session");
      keep(body.token);
      return body.token;
    }, (error) => { beginning = null; throw error; });
    return beginning;
  };

  // A token that does not hold any more begins a conversation anew.
  const known = async (resource, body) => {
    const answer = await ask(resource, { ...body, token: await session() });
    if (answer.status !== 401) return answer;
    keep(null);
    return ask(resource, { ...body, token: await session() });
  };

  const host = document.createElement("div");
  const root = host.attachShadow({ mode: "open" });
  const make = (name, attributes, ...children) => {
    const element = document.createElement(name);
    for (const [attribute, value] of Object.entries(attributes)) element.setAttribute(attribute, value);
    element.append(...children);
    return element;
  };
  const style = make("style", {}, [
    ":host{position:fixed;right:1rem;bottom:1rem;z-index:2147483000;font:16px/1.4 system-ui,sans-serif;color:#111}",
    "button{font:inherit;border:0;border-radius:.5rem;padding:.5rem 1rem;background:#175cd3;color:#fff;cursor:pointer}",
    "section{display:flex;flex-direction:column;width:min(22rem,calc(100vw - 2rem));height:min(30rem,calc(100vh - 6rem));",
    "margin-bottom:.5rem;background:#fff;border:1px solid #ccc;border-radius:.75rem;box-shadow:0 8px 24px #0003}",
    "[hidden]{display:none}h2{font-size:1rem;margin:0;padding:.75rem 1rem;border-bottom:1px solid #ddd}",
    "ol{flex:1;overflow:auto;list-style:none;margin:0;padding:.75rem;display:flex;flex-direction:column;gap:.5rem}",
    "li{max-width:85%;padding:.5rem .75rem;border-radius:.75rem;background:#eef1f5;white-space:pre-wrap;overflow-wrap:anywhere}",
    "li.visitor{align-self:flex-end;background:#d8e6ff}li.pending{opacity:.6}",
    "p{margin:0;padding:0 1rem .5rem;color:#8a1c1c;font-size:.875rem}form{display:flex;gap:.5rem;padding:.75rem;border-top:1px solid #ddd}",
    "textarea{flex:1;font:inherit;resize:none;border:1px solid #999;border-radius:.5rem;padding:.5rem}"
  ].join(""));
  const list = make("ol", { role: "log", "aria-live": "polite", "aria-label": title });
  const notice = make("p", { role: "alert" });
  const field = make("textarea", { rows: "1", maxlength: "4096", "aria-label": "Message", placeholder: "Message" });
  const form = make("form", {}, field, make("button", { type: "submit" }, "Send"));
  const panel = make("section", { "aria-label": title }, make("h2", {}, title), list, notice, form);
  const toggle = make("button", { type: "button", "aria-expanded": "false" }, title);
  panel.hidden = true;
  root.append(style, panel, toggle);

  let messages = [];
  let pending = [];
  let version = null;
  let lastChange = 0;

  const line = ({ role, text }, isPending) =>
    make("li", { class: (role === "visitor" ? "visitor" : "agent") + (isPending ? " pending" : "") }, text);
  const show = () => {
    const isAtEnd = list.scrollHeight - list.scrollTop - list.clientHeight < 40;
    list.replaceChildren(...messages.map((one) => line(one, false)), ...pending.map((one) => line(one, true)));
    if (isAtEnd) list.scrollTop = list.scrollHeight;
  };

  const update = (body) => {
    version = body.version;
    if (body.messages === undefined) return;
    messages = body.messages;
    lastChange = Date.now();
    show();
  };

  const load = async () => {
    const { body, status } = await known("transcript", { version });
    if (status === 200) update(body);
  };

  let timer;
  const poll = async () => {
    clearTimeout(timer);
    if (panel.hidden) return;
    if (!document.hidden) await load().catch(() => {});
    timer = setTimeout(poll, Date.now() - lastChange < calmMs ? soonMs : lateMs);
  };

  const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
  const random = () => Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16).padStart(2, "0")).join("");

  // A message keeps its id until it has arrived, and so arrives once.
  const send = async (text) => {
    const message = { id: random(), role: "visitor", text };
    pending.push(message);
    lastChange = Date.now();
    show();
    const failed = (sentence) => { notice.textContent = sentence; };
    for (let attempt = 0; attempt < 4; attempt++) {
      try {
        const { body, retryAfter, status } = await known("message", { id: message.id, text, version: null });
        if (status === 429) {
          failed("Please wait a moment.");
          await wait(Math.max(1, Math.min(retryAfter || 5, 60)) * 1000);
          continue;
        }
        pending = pending.filter((one) => one !== message);
        if (status === 200) {
          failed("");
          update(body);
        } else {
          failed("The message could not be sent.");
          field.value ||= text;
          show();
        }
        return void poll();
      } catch {
        failed("No connection. Trying again …");
        await wait(1000 * 2 ** attempt);
      }
    }
    pending = pending.filter((one) => one !== message);
    failed("The message could not be sent.");
    field.value ||= text;
    show();
  };

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const text = field.value.trim();
    if (text === "") return;
    field.value = "";
    send(text);
  });
  field.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    form.requestSubmit();
  });
  toggle.addEventListener("click", () => {
    panel.hidden = !panel.hidden;
    toggle.setAttribute("aria-expanded", String(!panel.hidden));
    if (panel.hidden) return;
    field.focus();
    poll();
  });
  document.addEventListener("visibilitychange", () => { if (!document.hidden) poll(); });

  const mount = () => document.body.append(host);
  document.body === null ? addEventListener("DOMContentLoaded", mount) : mount();
})();
`
