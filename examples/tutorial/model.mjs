/** A language model that follows a script, where Ollama would listen. It says what a receptionist of the tutorial would say. */
import { createServer } from "node:http"

const say = (heard) => {
  if (/\b(yes|fine|okay|sure)\b/i.test(heard)) return "Thank you. We will see you then. Good-bye."
  if (/\b(no|cannot|can't)\b/i.test(heard)) return "I see. We will call you back to find another time. Good-bye."
  return "I am calling about your appointment. Can you come?"
}

/** After a conversation the product asks what came of it, as JSON. */
const analyse = (transcript) => {
  const [confirmed, by] = /\b(yes|fine|okay|sure)\b/i.test(transcript) ? ["confirmed", "Yes"] : ["not confirmed", "No"]
  return JSON.stringify({ summary: `${by}, said the patient.`, outcome: confirmed, sentiment: "neutral", score: 1 })
}

const answer = ({ messages }) => {
  const textOf = (role) => String(messages.findLast((message) => message.role === role)?.content ?? "")
  return /analyse a conversation/.test(textOf("system")) ? analyse(textOf("user")) : say(textOf("user"))
}

const usage = { prompt_tokens: 200, completion_tokens: 20, total_tokens: 220 }

createServer(async (request, response) => {
  let body = ""
  for await (const chunk of request) body += chunk
  const asked = JSON.parse(body || '{"messages":[]}')
  const content = answer(asked)
  if (!asked.stream) {
    response.writeHead(200, { "Content-Type": "application/json" })
    const choices = [{ index: 0, finish_reason: "stop", message: { role: "assistant", content } }]
    return response.end(JSON.stringify({ id: "1", object: "chat.completion", model: asked.model, choices, usage }))
  }
  response.writeHead(200, { "Content-Type": "text/event-stream" })
  const send = (choices, more) =>
    response.write(
      `data: ${JSON.stringify({ id: "1", object: "chat.completion.chunk", model: asked.model, choices, ...more })}\n\n`
    )
  for (const word of content.split(/(?<= )/)) send([{ index: 0, delta: { content: word } }])
  send([{ index: 0, delta: {}, finish_reason: "stop" }])
  send([], { usage })
  response.end("data: [DONE]\n\n")
}).listen(Number(process.env.PORT ?? 11434), "127.0.0.1")
