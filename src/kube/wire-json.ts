import { type Asked, KubeError } from './errors.ts'

/** The parsed body, or the error to throw when it is not JSON, such as an answer that was cut on the way. */
export function parseJson(body: Buffer, asked: Asked): unknown {
  try {
    return JSON.parse(body.toString('utf8'))
  } catch (cause) {
    return new KubeError('bad-answer', asked, 'the answer is not valid JSON (cut off on the way?)', {
      cause,
      retryable: true,
    })
  }
}
