/// The values put in the place of services and bricks, by type.
struct InjectionTable: Sendable {
  private var contractors: [ObjectIdentifier: any Sendable] = [:]
  private var bricks: [ObjectIdentifier: any Sendable] = [:]

  var isEmpty: Bool { contractors.isEmpty && bricks.isEmpty }

  func contractor<S: Service>(_ key: S.Type) -> S.Value? {
    contractors[ObjectIdentifier(key)] as? S.Value
  }

  func brick<B: Blueprint>(_ key: B.Type) -> B.Value? {
    bricks[ObjectIdentifier(key)] as? B.Value
  }

  mutating func setContractor<S: Service>(_ value: S.Value, for key: S.Type) {
    contractors[ObjectIdentifier(key)] = value
  }

  mutating func setBrick<B: Blueprint>(_ value: B.Value, for key: B.Type) {
    bricks[ObjectIdentifier(key)] = value
  }

  func merging(_ other: InjectionTable) -> InjectionTable {
    var merged = self
    merged.contractors.merge(other.contractors) { $1 }
    merged.bricks.merge(other.bricks) { $1 }
    return merged
  }
}
