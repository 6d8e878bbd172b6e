/** Breaks that are none: what they mean for delivery, and their form, as `Kind what`. */
export const HARMLESS: readonly (readonly [reason: string, form: RegExp])[] = [
  [
    'labels that tell of add-ons, and copies of labels on cluster secrets, decide nothing',
    / \.metadata\.labels\.(feature\.|vendor|cloud|cluster\.open-cluster-management\.io\/clusterset|apps\.open-cluster-management\.io\/(cluster-server|cluster-name|acm-cluster changed))/,
  ],
  [
    'finalizers of the controllers themselves come back',
    /^(ManagedCluster|ManifestWork|AppProject|ArgoCD) \.metadata\.finalizers/,
  ],
  [
    'a condition that repeats others, or is written anew within seconds',
    /^(ManagedClusterAddOn|ManagedServiceAccount|ApplicationSet|ManagedClusterSet|ManagedClusterSetBinding|Placement|GitOpsCluster|ManifestWork|ManagedCluster) \.status\.conditions/,
  ],
  [
    'fields of a Service that do not lead elsewhere',
    /^Service \.spec\.(clusterIP|clusterIPs|internalTrafficPolicy|ipFamil|sessionAffinity|type|ports)/,
  ],
  [
    'how clusters are ranked or named groups are numbered does not choose among two',
    /^(Placement \.spec\.(scoreRateLimit|sortBy)|PlacementDecision .*decision-group)/,
  ],
  [
    'an empty list of sets or predicates, or an empty key, selects the same clusters here',
    /^Placement \.spec\.(clusterSets emptied|predicates|tolerations.*key removed)/,
  ],
  [
    'fields with one value that the API takes',
    /^(ManagedClusterSet \.spec\.clusterSelector\.selectorType|RoleBinding \.roleRef\.(apiGroup|kind)|GitOpsCluster \.spec\.argoServer\.argoNamespace removed|ManagedClusterSetBinding \.spec\.clusterSet removed)/,
  ],
  [
    'the API does not store an object without this field',
    /^ApplicationSet \.spec\.(generators emptied|generators\[\d+\]\.clusterDecisionResource\.configMapRef removed|template\.(metadata\.name|spec\.project|spec\.destination\.server) removed)/,
  ],
  ['credentials are never read', /^Secret \.data\.(config|username|password|tls|ca\.crt|token)/],
  [
    'a client config is a second way that is not used',
    /^ManagedCluster \.spec\.(managedClusterClientConfigs|leaseDurationSeconds)/,
  ],
  ['rotation matters only when the token comes near its end', /^ManagedServiceAccount \.spec\.rotation/],
  [
    'rules of a project that do not concern clusters or repositories',
    /^AppProject \.spec\.(clusterResource|namespaceResource|description)/,
  ],
  ['how long until the next look', /requeueAfterSeconds/],
  [
    'how a ManifestWork is applied and what it leaves behind: written again with the next change of its Application',
    /^ManifestWork \.(spec\.deleteOption|spec\.manifestConfigs\[\d+\]\.(updateStrategy|feedbackScrapeType|resourceIdentifier)|spec\.manifestConfigs\[\d+\]\.feedbackRules\[\d+\]\.(type|jsonPaths emptied)|metadata\.labels\.apps\.open-cluster-management\.io\/(application-set-hash|pull-to))/,
  ],
  [
    'labels, annotations and finalizers of what is delivered: copies that tell where it comes from',
    /^(ManifestWork \.spec\.workload\.manifests\[\d+\]\.metadata\.(labels|annotations|finalizers)|Application \.metadata\.(annotations\.(apps\.open-cluster-management\.io\/hosting-applicationset|open-cluster-management\.io\/config-spec-hash|argocd\.argoproj\.io\/(hydrate|principal-uid|source-uid))|labels\.apps\.open-cluster-management\.io\/application-set))/,
  ],
  [
    'the AppProject inside a ManifestWork repeats that of the hub',
    /^ManifestWork \.spec\.workload\.manifests\[\d+\]\.spec\.(clusterResource|namespaceResource|description|sourceRepos|destinations (emptied|removed))/,
  ],
  [
    'the API does not store an object without this field, or with this value',
    /^(ManifestWork \.spec\.workload\.manifests\[\d+\]\.(apiVersion|kind removed|metadata\.name removed)|RoleBinding \.subjects\[\d+\]\.namespace removed|Application \.metadata\.finalizers\[\d+\] changed|ManagedClusterAddOn \.spec\.configs\[\d+\]\.(group|resource) )/,
  ],
  ['one rule of several that permit the same', /^Role \.rules\[\d+\]\.(apiGroups|resources|verbs)/],
  [
    'what the controllers of add-ons read, not what they deliver',
    /^ManagedClusterAddOn \.(spec\.(installNamespace|configs\[\d+\]\.name (changed|removed))|metadata\.(finalizers|labels\.app\.kubernetes\.io))/,
  ],
  [
    'parts of Argo CD that deliver nothing, or that only other Applications than these need',
    /^ArgoCD \.spec\.(grafana|prometheus|monitoring|notifications|imageUpdater|ha\.|server\.|sourceNamespaces|argoCDAgent\.principal\.(namespace\.allowedNamespaces|server\.service\.type))/,
  ],
  [
    'left out, the controller takes its own value',
    /^GitOpsCluster \.spec\.(placementRef\.namespace removed|argoServer\.cluster|gitopsAddon\.(overrideExistingConfigs|argoCDAgent\.(mode removed|serverAddress removed|serverPort removed|propagateHubCA)))/,
  ],
  [
    'with one Placement in the namespace an empty selector selects the same decision',
    /^ApplicationSet \.spec\.generators\[\d+\]\.clusterDecisionResource\.labelSelector\.matchLabels\.\S+\/placement removed/,
  ],
  [
    'marks that tell a person where a cluster secret or a Service comes from',
    /^(Secret \.metadata\.labels\.apps\.open-cluster-management\.io\/data-source|Service \.metadata\.labels)/,
  ],
  [
    'entries of a report are written with their summary and their start',
    /^MulticlusterApplicationSetReport \.(statuses\.(summary|clusterConditions\[\d+\]\.operationStateStartedAt)|metadata\.labels\.\S+\/hosting-applicationset)/,
  ],
  [
    'the principal sends projects with destinations of its own, and every name matches here',
    /^AppProject \.spec\.(sourceNamespaces|destinations\[\d+\]\.(name removed|server))/,
  ],
  ['an empty name is no name', /^ManifestWork \.spec\.workload\.manifests\[\d+\]\.spec\.destination\.name removed/],
  [
    'no controller reads a mark that keeps controllers off while none runs',
    /^(Secret \.metadata\.annotations\.argocd\.argoproj\.io\/skip-reconcile|ArgoCD \.spec\.controller\.enabled)/,
  ],
]
