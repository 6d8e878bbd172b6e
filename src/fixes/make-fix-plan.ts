import type { Check, Finding } from '../checks/check.ts'
import { fold, type Node } from '../checks/fold.ts'
