/**
 * Waits until something holds; an error counts as "not yet". The limit is for what never comes: a busy machine takes half a
 * minute to serve thirty definitions, and as long to let them go. Each look costs the server something, so they get rarer.
 */
export async function until(holds: () => boolean | Promise<boolean>, what: string, ms = 200_000): Promise<void> {
  const deadline = Date.now() + ms
  let failure = ''
  const holdsNow = async (): Promise<boolean> => {
    try {
      return await holds()
    } catch (error) {
      failure = `: ${error}`
      return false
    }
  }
  for (let pause = 20; !(await holdsNow()); pause = Math.min(pause * 1.5, 1_000)) {
    if (Date.now() > deadline) throw new Error(`waited in vain for ${what}${failure}`)
    await new Promise(resolve => setTimeout(resolve, pause))
  }
}
