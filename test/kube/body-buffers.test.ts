import { expect, it } from 'vitest'
import { BodyBuffers } from '../../src/kube/body-buffers.ts'

const filled = (buffers: BodyBuffers, text: string, size: number): Buffer => {
  const body = buffers.open()
  for (let at = 0; at < size; at += 10_000) body.add(Buffer.from(text.repeat(Math.min(10_000, size - at))))
  return body.end()
}

it('holds a body of any size as it came', () => {
  const buffers = new BodyBuffers()
  for (const size of [0, 1, 65_536, 65_537, 1_000_000]) {
    const body = filled(buffers, 'a', size)
    expect(body.length).toBe(size)
    expect(body.every(byte => byte === 0x61)).toBe(true)
  }
})

it('uses the memory of a body again, and never that of one that is still looked at', () => {
  const buffers = new BodyBuffers()
  const [first, second] = [filled(buffers, 'a', 500_000), filled(buffers, 'b', 400_000)]
  expect(second.buffer).not.toBe(first.buffer)
  buffers.release(first)
  const third = filled(buffers, 'c', 300_000)
  expect(third.buffer).toBe(first.buffer)
  expect(third.toString()).toBe('c'.repeat(300_000))
  expect(second.toString()).toBe('b'.repeat(400_000))
})

it('keeps a few, the largest, and none after the end', () => {
  const buffers = new BodyBuffers()
  const bodies = [100_000, 900_000, 200_000, 800_000, 700_000].map(size => filled(buffers, 'a', size))
  for (const body of bodies) buffers.release(body)
  const again = bodies.map(() => buffers.open().end().buffer)
  const kept = bodies.filter(body => again.includes(body.buffer)).map(body => body.length)
  expect(kept).toEqual([900_000, 800_000, 700_000])
  for (const body of bodies) buffers.release(body)
  buffers.clear()
  expect(bodies.map(body => body.buffer)).not.toContain(buffers.open().end().buffer)
})
