/// The layers of one judgement.
struct Layers: JudgementReader {
  let judgement: Judgement
  let names: Names

  init(_ judgement: Judgement) {
    self.judgement = judgement
    names = Names(judgement.facts.account, subject: judgement.subject)
  }

  var permissions: PermissionsLayer { PermissionsLayer(judgement: judgement, names: names) }
  var seats: SeatsLayer { SeatsLayer(judgement: judgement, names: names) }
  var units: UnitsLayer { UnitsLayer(judgement: judgement, names: names) }
  var containers: ContainersLayer { ContainersLayer(judgement: judgement, names: names) }
  var sandboxes: SandboxesLayer { SandboxesLayer(judgement: judgement, names: names) }
  var policies: PoliciesLayer { PoliciesLayer(judgement: judgement, names: names) }
  var drivers: DriversLayer { DriversLayer(judgement: judgement, names: names) }
  var hardware: HardwareLayer { HardwareLayer(judgement: judgement, names: names) }
  var nodes: NodesLayer { NodesLayer(judgement: judgement, names: names) }
  var use: UseLayer { UseLayer(judgement: judgement, names: names) }
  var mounts: MountsLayer { MountsLayer(judgement: judgement, names: names) }
  var directories: DirectoriesLayer { DirectoriesLayer(judgement: judgement, names: names) }
  var paths: PathsLayer { PathsLayer(judgement: judgement, names: names) }
  var portal: PortalLayer { PortalLayer(judgement: judgement, names: names) }

  /// The layer that a cause is of; `nil` where it is not known.
  subscript(cause: Cause) -> (any Layer)? {
    // In a container, who is in a group is decided by whoever starts it.
    if cause.code == .groupNotMember, confinement.container != nil { return containers }
    return switch cause.code.layer {
    case .permissions: permissions
    case .seats: seats
    case .units: units
    case .containers: containers
    case .sandboxes: sandboxes
    case .policies: policies
    case .drivers: drivers
    case .hardware: hardware
    case .nodes: nodes
    case .use: use
    case .mounts: mounts
    case .directories: directories
    case .paths: paths
    case .portal: portal
    case nil: nil
    }
  }
}
