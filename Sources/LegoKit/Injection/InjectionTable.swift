/// The values put in the place of services and bricks, by type.
struct InjectionTable: Sendable {
  private var contractors: [ObjectIdentifier: any InjectionBoxed] = [:]
  private var bricks: [ObjectIdentifier: any InjectionBoxed] = [:]

  var isEmpty: Bool { contractors.isEmpty && bricks.isEmpty }

  func contractor<S: Service>(_ key: S.Type) -> S.Value? {
    (contractors[ObjectIdentifier(key)] as? InjectionBox<S.Value>)?.value
  }

  func brick<B: Blueprint>(_ key: B.Type) -> B.Value? {
    (bricks[ObjectIdentifier(key)] as? InjectionBox<B.Value>)?.value
  }

  mutating func setContractor<S: Service>(_ value: S.Value, for key: S.Type) {
    contractors[ObjectIdentifier(key)] = InjectionBox(value)
  }

  mutating func setBrick<B: Blueprint>(_ value: B.Value, for key: B.Type) {
    bricks[ObjectIdentifier(key)] = InjectionBox(value)
  }

  func merging(_ other: InjectionTable) -> InjectionTable {
    var merged = self
    merged.contractors.merge(other.contractors) { $1 }
    merged.bricks.merge(other.bricks) { $1 }
    return merged
  }
}

/// A value in an object, which is found faster by its class than a value by its type.
final class InjectionBox<Value: Sendable>: InjectionBoxed {
  let value: Value

  init(_ value: Value) {
    self.value = value
  }
}

/// A box of any value.
protocol InjectionBoxed: AnyObject, Sendable {}
