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

  /// The types of all layers.
  static let all: [any Layer.Type] = [
    PermissionsLayer.self, SeatsLayer.self, UnitsLayer.self, ContainersLayer.self,
    SandboxesLayer.self, PoliciesLayer.self, DriversLayer.self, HardwareLayer.self,
    NodesLayer.self, UseLayer.self, MountsLayer.self, DirectoriesLayer.self, PathsLayer.self,
    PortalLayer.self,
  ]

  /// Returns the layer that found a cause; `nil` if the cause is unknown.
  func layer(of cause: Cause) -> (any Layer)? {
    cause.code.layer?.init(assessment: assessment, names: names)
  }

  /// Returns the fixes that the layer of a cause offers.
  func remedies(for cause: Cause) -> [Remedy] {
    layer(of: cause)?.remedies(for: cause) ?? []
  }

  /// Returns the commands that show more about a cause and change nothing.
  func lookups(for cause: Cause) -> [Lookup] { layer(of: cause)?.lookups(for: cause) ?? [] }
}

extension CauseCode {
  /// A short description of the cause.
  public var title: String { Self.general[self]?.title ?? rawValue }

  /// The object that the cause is about.
  var object: CauseObject { Self.general[self]?.object ?? .requested }

  /// The status of a unit for which an object is missing because of the cause.
  var statusIfMissing: PermissionStatus { Self.general[self]?.statusIfMissing ?? .absent }

  /// The layer that finds the cause and offers its fixes; `nil` if the cause is unknown.
  var layer: (any Layer.Type)? { Self.general[self]?.layer }

  private struct General: Sendable {
    var title: String
    var object: CauseObject
    var statusIfMissing = PermissionStatus.absent
    var layer: (any Layer.Type)?
  }

  private static let general: [CauseCode: General] = {
    var general = [CauseCode.unknown: General(title: "cause unknown", object: .requested)]
    func add<Described: Layer>(_ layer: Described.Type) {
      for cause in Described.causes {
        general[cause.code] = General(
          title: cause.title, object: cause.object, statusIfMissing: cause.statusIfMissing,
          layer: layer)
      }
    }
    for layer in Layers.all { add(layer) }
    return general
  }()
}
