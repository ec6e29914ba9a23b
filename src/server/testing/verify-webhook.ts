/** Process that verifies webhooks with the Standard Webhooks library only. Reads JSON, prints one line per message. */
import { text } from 'node:stream/consumers'
import { Webhook } from 'standardwebhooks'

type Message = { secret: string; text: string; headers: Record<string, string> }

for (const message of JSON.parse(await text(process.stdin)) as Message[]) {
  try {
    const event = new Webhook(message.secret).verify(message.text, message.headers)
    console.log((event as { type: string }).type)
  } catch (error) {
    console.log(String(error))
  }
}
