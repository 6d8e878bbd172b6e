import { addonUnavailable } from './addons/addon-unavailable.ts'
import { agentAddressStale } from './agent/agent-address-stale.ts'
import { agentCopyMissing } from './agent/agent-copy-missing.ts'
import { agentCsrPending } from './agent/agent-csr-pending.ts'
import { agentDown } from './agent/agent-down.ts'
import { agentReadRights } from './agent/agent-read-rights.ts'
import { agentStatusStale } from './agent/agent-status-stale.ts'
import { controllerOffFreezes } from './agent/controller-off-freezes.ts'
import { mappingAsymmetric } from './agent/mapping-asymmetric.ts'
import { principalAuthMismatch } from './agent/principal-auth-mismatch.ts'
import { principalEnvIgnored } from './agent/principal-env-ignored.ts'
import { projectExcludesAgent } from './agent/project-excludes-agent.ts'
import { skipReconcileMissing } from './agent/skip-reconcile-missing.ts'
import { appDeletionStuck } from './applications/app-deletion-stuck.ts'
import { projectMissing } from './applications/project-missing.ts'
import { pullNotDecided } from './applications/pull-not-decided.ts'
import { pullSwitchedOff } from './applications/pull-switched-off.ts'
import { pullTargetUnknown } from './applications/pull-target-unknown.ts'
import type { Check } from './check.ts'
import { clusterClockSkewed } from './clusters/cluster-clock-skewed.ts'
import { clusterDetachStuck } from './clusters/cluster-detach-stuck.ts'
import { clusterNotAccepted } from './clusters/cluster-not-accepted.ts'
import { clusterNotJoined } from './clusters/cluster-not-joined.ts'
import { clusterSetLost } from './clusters/cluster-set-lost.ts'
import { clusterUnavailable } from './clusters/cluster-unavailable.ts'
import { workAgentSilent } from './clusters/work-agent-silent.ts'
import { manifestNotApplied } from './delivery/manifest-not-applied.ts'
import { workBehind } from './delivery/work-behind.ts'
import { workDeletionStuck } from './delivery/work-deletion-stuck.ts'
import { workLeftOver } from './delivery/work-left-over.ts'
import { workMissing } from './delivery/work-missing.ts'
import { workOutdated } from './delivery/work-outdated.ts'
import { workReadOnly } from './delivery/work-read-only.ts'
import { appsetApplicationsMissing } from './generation/appset-applications-missing.ts'
import { appsetError } from './generation/appset-error.ts'
import { appsetUnwatched } from './generation/appset-unwatched.ts'
import { pullPreservesResources } from './generation/pull-preserves-resources.ts'
import { pullTemplateIncomplete } from './generation/pull-template-incomplete.ts'
import { blankSecretUnderPush } from './registration/blank-secret-under-push.ts'
import { generatorConfigmap } from './registration/generator-configmap.ts'
import { generatorRbac } from './registration/generator-rbac.ts'
import { gocAbsent } from './registration/goc-absent.ts'
import { gocArgoServerMissing } from './registration/goc-argo-server-missing.ts'
import { gocFailed } from './registration/goc-failed.ts'
import { gocNamespaceNotAuthorised } from './registration/goc-namespace-not-authorised.ts'
import { gocOverlap } from './registration/goc-overlap.ts'
import { gocPlacementMissing } from './registration/goc-placement-missing.ts'
import { gocPlacementRefInvalid } from './registration/goc-placement-ref-invalid.ts'
import { gocRegistersNothing } from './registration/goc-registers-nothing.ts'
import { gocStale } from './registration/goc-stale.ts'
import { msaTokenMissing } from './registration/msa-token-missing.ts'
import { secretMissing } from './registration/secret-missing.ts'
import { secretNameDuplicate } from './registration/secret-name-duplicate.ts'
import { bindingSetMissing } from './selection/binding-set-missing.ts'
import { clusterNotSelected } from './selection/cluster-not-selected.ts'
import { clustersetBindingMissing } from './selection/clusterset-binding-missing.ts'
import { decisionDiffers } from './selection/decision-differs.ts'
import { placementMisconfigured } from './selection/placement-misconfigured.ts'
import { placementSchedulingDisabled } from './selection/placement-scheduling-disabled.ts'
import { placementSelectsHub } from './selection/placement-selects-hub.ts'
import { placementSelectsNothing } from './selection/placement-selects-nothing.ts'
import { placementSetUnknown } from './selection/placement-set-unknown.ts'
import { placementTolerationsMissing } from './selection/placement-tolerations-missing.ts'
import { clusterAccessFails } from './spokes/cluster-access-fails.ts'
import { controllerForbidden } from './spokes/controller-forbidden.ts'
import { destinationNamespaceMissing } from './spokes/destination-namespace-missing.ts'
import { hookBlocks } from './spokes/hook-blocks.ts'
import { objectShared } from './spokes/object-shared.ts'
import { outOfSync } from './spokes/out-of-sync.ts'
import { projectDenies } from './spokes/project-denies.ts'
import { pushViewStale } from './spokes/push-view-stale.ts'
import { repositoryRefused } from './spokes/repository-refused.ts'
import { selfHealFight } from './spokes/self-heal-fight.ts'
import { sourceUnreadable } from './spokes/source-unreadable.ts'
import { spokeAppDeletionStuck } from './spokes/spoke-app-deletion-stuck.ts'
import { spokeAppDrifted } from './spokes/spoke-app-drifted.ts'
import { spokeAppMissing } from './spokes/spoke-app-missing.ts'
import { spokeAppUnreconciled } from './spokes/spoke-app-unreconciled.ts'
import { spokeControllerStopped } from './spokes/spoke-controller-stopped.ts'
import { syncFailed } from './spokes/sync-failed.ts'
import { syncGaveUp } from './spokes/sync-gave-up.ts'
import { syncNotStarted } from './spokes/sync-not-started.ts'
import { workloadProgressing } from './spokes/workload-progressing.ts'
import { workloadUnhealthy } from './spokes/workload-unhealthy.ts'
import { feedbackStale } from './status/feedback-stale.ts'
import { reportGhost } from './status/report-ghost.ts'
import { reportOutdated } from './status/report-outdated.ts'

/** Every check, by code. A test holds the list complete: each file below src/checks that declares a check is in it. */
export const CHECKS: readonly Check[] = [
  clusterNotAccepted,
  clusterNotJoined,
  clusterUnavailable,
  clusterClockSkewed,
  clusterSetLost,
  clusterDetachStuck,
  workAgentSilent,
  bindingSetMissing,
  clustersetBindingMissing,
  placementMisconfigured,
  placementSchedulingDisabled,
  placementSelectsNothing,
  placementSetUnknown,
  clusterNotSelected,
  placementTolerationsMissing,
  placementSelectsHub,
  decisionDiffers,
  gocPlacementMissing,
  gocPlacementRefInvalid,
  gocArgoServerMissing,
  gocNamespaceNotAuthorised,
  gocFailed,
  gocOverlap,
  gocStale,
  generatorConfigmap,
  generatorRbac,
  gocRegistersNothing,
  gocAbsent,
  blankSecretUnderPush,
  secretMissing,
  msaTokenMissing,
  secretNameDuplicate,
  appsetApplicationsMissing,
  appsetError,
  appsetUnwatched,
  pullTemplateIncomplete,
  pullPreservesResources,
  pullTargetUnknown,
  pullNotDecided,
  projectMissing,
  pullSwitchedOff,
  appDeletionStuck,
  sourceUnreadable,
  repositoryRefused,
  destinationNamespaceMissing,
  hookBlocks,
  workloadProgressing,
  syncNotStarted,
  controllerForbidden,
  syncGaveUp,
  selfHealFight,
  objectShared,
  spokeAppUnreconciled,
  syncFailed,
  clusterAccessFails,
  workloadUnhealthy,
  outOfSync,
  projectDenies,
  spokeAppMissing,
  spokeAppDrifted,
  spokeControllerStopped,
  spokeAppDeletionStuck,
  pushViewStale,
  workMissing,
  workOutdated,
  workLeftOver,
  workBehind,
  manifestNotApplied,
  workDeletionStuck,
  workReadOnly,
  reportOutdated,
  reportGhost,
  feedbackStale,
  controllerOffFreezes,
  principalAuthMismatch,
  mappingAsymmetric,
  projectExcludesAgent,
  agentDown,
  agentCsrPending,
  agentCopyMissing,
  agentStatusStale,
  skipReconcileMissing,
  agentReadRights,
  agentAddressStale,
  principalEnvIgnored,
  addonUnavailable,
]

/** Codes of checks that are gone. They are never used again. */
export const RETIRED_CODES: readonly string[] = []
