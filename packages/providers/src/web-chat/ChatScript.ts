/** The script of a page that has the chat, carried as text: what is in it runs in browsers. It needs nothing but the page. */
export const chatScript = String.raw`"use strict";
(() => {
  const script = document.currentScript;
  const base = script.src.replace(/\/chat\.js(?:\?.*)?$/, "");
  const chosen = script.dataset;

  // What the chat says by itself, in the language of the page where it has it; any text can be replaced by its attribute.
  const languages = {
    en: ["Chat", "Message", "Send", "Please wait a moment.", "The message could not be sent.", "No connection. Trying again …"],
    de: ["Chat", "Nachricht", "Senden", "Bitte warten Sie einen Moment.", "Die Nachricht konnte nicht gesendet werden.", "Keine Verbindung. Neuer Versuch …"],
    es: ["Chat", "Mensaje", "Enviar", "Espere un momento, por favor.", "No se pudo enviar el mensaje.", "Sin conexión. Se intenta de nuevo …"],
    fr: ["Chat", "Message", "Envoyer", "Veuillez patienter un instant.", "Le message n’a pas pu être envoyé.", "Pas de connexion. Nouvel essai …"],
    hi: ["चैट", "संदेश", "भेजें", "कृपया थोड़ी देर प्रतीक्षा करें।", "संदेश नहीं भेजा जा सका।", "कनेक्शन नहीं है। फिर से कोशिश हो रही है …"],
    pt: ["Chat", "Mensagem", "Enviar", "Aguarde um momento, por favor.", "Não foi possível enviar a mensagem.", "Sem conexão. Tentando novamente …"]
  };
  const language = (chosen.language || document.documentElement.lang || "en").toLowerCase().split("-")[0];
  const said = languages[language] || languages.en;
  const [title, message, sending, waiting, unsent, offline] = ["title", "message", "send", "wait", "unsent", "offline"]
    .map((name, i) => chosen[name] || said[i]);

  // A colour that is none is the usual one; on it stands black or white, whichever can be read.
  const accent = /^#[0-9a-f]{6}$/i.test(chosen.accent || "") ? chosen.accent : "#175cd3";
  const light = [1, 3, 5].map((at) => parseInt(accent.slice(at, at + 2), 16) / 255)
    .map((share) => share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4)
    .reduce((sum, share, i) => sum + share * [0.2126, 0.7152, 0.0722][i], 0);
  const ink = 1.05 / (light + 0.05) >= (light + 0.05) / 0.05 ? "#fff" : "#000";
  const side = chosen.side === "left" ? "left" : "right";
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
    ":host{position:fixed;" + side + ":1rem;bottom:1rem;z-index:2147483000;font:16px/1.4 system-ui,sans-serif;color:#111}",
    "button{font:inherit;border:0;border-radius:.5rem;padding:.5rem 1rem;background:" + accent + ";color:" + ink + ";cursor:pointer}",
    "section{display:flex;flex-direction:column;width:min(22rem,calc(100vw - 2rem));height:min(30rem,calc(100vh - 6rem));",
    "margin-bottom:.5rem;background:#fff;border:1px solid #ccc;border-radius:.75rem;box-shadow:0 8px 24px #0003}",
    "[hidden]{display:none}h2{display:flex;align-items:center;gap:.5rem;font-size:1rem;margin:0;padding:.75rem 1rem;border-bottom:1px solid #ddd}",
    "img{height:1.5rem;max-width:8rem}:host>button{float:" + side + "}",
    "ol{flex:1;overflow:auto;list-style:none;margin:0;padding:.75rem;display:flex;flex-direction:column;gap:.5rem}",
    "li{max-width:85%;padding:.5rem .75rem;border-radius:.75rem;background:#eef1f5;white-space:pre-wrap;overflow-wrap:anywhere}",
    "li.visitor{align-self:flex-end;background:#d8e6ff}li.pending{opacity:.6}",
    "p{margin:0;padding:0 1rem .5rem;color:#8a1c1c;font-size:.875rem}form{display:flex;gap:.5rem;padding:.75rem;border-top:1px solid #ddd}",
    "textarea{flex:1;font:inherit;resize:none;border:1px solid #999;border-radius:.5rem;padding:.5rem}"
  ].join(""));
  const list = make("ol", { role: "log", "aria-live": "polite", "aria-label": title });
  const notice = make("p", { role: "alert" });
  const field = make("textarea", { rows: "1", maxlength: "4096", "aria-label": message, placeholder: message });
  const form = make("form", {}, field, make("button", { type: "submit" }, sending));
  const panel = make("section", { "aria-label": title }, make("h2", {}, ...(chosen.logo ? [make("img", { src: chosen.logo, alt: "" })] : []), title), list, notice, form);
  const toggle = make("button", { type: "button", "aria-expanded": "false" }, title);
  panel.hidden = true;
  host.lang = languages[language] ? language : "en";
  root.append(style, panel, toggle);

  let messages = [];
  let pending = [];
  let version = null;
  let lastChange = 0;

  const line = ({ role, text }, isPending) =>
    make("li", { class: (role === "visitor" ? "visitor" : "agent") + (isPending ? " pending" : "") }, text);
  const show = () => {
    const isAtEnd = list.scrollHeight - list.scrollTop - list.clientHeight < 40;
    const greeting = chosen.greeting ? [line({ role: "agent", text: chosen.greeting }, false)] : [];
    list.replaceChildren(...greeting, ...messages.map((one) => line(one, false)), ...pending.map((one) => line(one, true)));
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
    const own = { id: random(), role: "visitor", text };
    pending.push(own);
    lastChange = Date.now();
    show();
    const failed = (sentence) => { notice.textContent = sentence; };
    for (let attempt = 0; attempt < 4; attempt++) {
      try {
        const { body, retryAfter, status } = await known("message", { id: own.id, text, version: null });
        if (status === 429) {
          failed(waiting);
          await wait(Math.max(1, Math.min(retryAfter || 5, 60)) * 1000);
          continue;
        }
        pending = pending.filter((one) => one !== own);
        if (status === 200) {
          failed("");
          update(body);
        } else {
          failed(unsent);
          field.value ||= text;
          show();
        }
        return void poll();
      } catch {
        failed(offline);
        await wait(1000 * 2 ** attempt);
      }
    }
    pending = pending.filter((one) => one !== own);
    failed(unsent);
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
  show();
  document.body === null ? addEventListener("DOMContentLoaded", mount) : mount();
})();
`
