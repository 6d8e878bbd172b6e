import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // Generous: real API servers on a machine that does other things, too, take several times as long as alone. A test that
    // hangs is found all the same.
    testTimeout: 240_000,
    hookTimeout: 600_000,
    pool: 'forks',
  },
})
