/// The layers of one assessment.
struct Layers: AssessmentReader {
  let assessment: Assessment
  let names: Names

  init(_ assessment: Assessment) {
    self.assessment = assessment
    names = assessment.names
  }

  var permissions: PermissionsLayer { PermissionsLayer(assessment: assessment, names: names) }
  var seats: SeatsLayer { SeatsLayer(assessment: assessment, names: names) }
  var units: UnitsLayer { UnitsLayer(assessment: assessment, names: names) }
  var containers: ContainersLayer { ContainersLayer(assessment: assessment, names: names) }
  var sandboxes: SandboxesLayer { SandboxesLayer(assessment: assessment, names: names) }
  var policies: PoliciesLayer { PoliciesLayer(assessment: assessment, names: names) }
  var drivers: DriversLayer { DriversLayer(assessment: assessment, names: names) }
  var hardware: HardwareLayer { HardwareLayer(assessment: assessment, names: names) }
  var nodes: NodesLayer { NodesLayer(assessment: assessment, names: names) }
  var use: UseLayer { UseLayer(assessment: assessment, names: names) }
  var mounts: MountsLayer { MountsLayer(assessment: assessment, names: names) }
  var directories: DirectoriesLayer { DirectoriesLayer(assessment: assessment, names: names) }
  var paths: PathsLayer { PathsLayer(assessment: assessment, names: names) }
  var portal: PortalLayer { PortalLayer(assessment: assessment, names: names) }

  /// The layer that a cause belongs to; `nil` if it is unknown.
  subscript(cause: Cause) -> (any Layer)? {
    // In a container, groups and modes depend on how it is started; bubblewrap and firejail keep
    // them.
    if [.groupNotMember, .modeGroup, .modeOwner].contains(cause.code),
      let container = confinement.container, !["bubblewrap", "firejail"].contains(container)
    {
      return containers
    }
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
