import type { PlanNote } from '../../plan/plan.ts'

export type Notes = readonly PlanNote[]

export const warning = (code: string, text: string): PlanNote => ({ level: 'warning', code, text })
export const info = (code: string, text: string): PlanNote => ({ level: 'info', code, text })
