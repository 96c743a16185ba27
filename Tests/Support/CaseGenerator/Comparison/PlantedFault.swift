public import AccessModel

/// A fault that a model could have, simulated by changing the case before the model sees it.
///
/// The comparison must expose each fault. A fault that it does not expose shows that the generator
/// does not cover this part of the model.
public struct PlantedFault: Sendable, CustomStringConvertible {
  /// The behavior of a model that has the fault.
  public let description: String
  /// Returns whether cases that are generated with the given options can expose the fault.
  public private(set) var isPossible: @Sendable (GeneratorOptions) -> Bool = { _ in true }
  /// Changes a case to the one that the faulty model sees.
  public let distort: @Sendable (inout AccessCase) -> Void

  public init(_ description: String, _ distort: @escaping @Sendable (inout AccessCase) -> Void) {
    self.description = description
    self.distort = distort
  }

  /// Returns the fault, restricted to options that meet a condition.
  func needing(_ condition: @escaping @Sendable (GeneratorOptions) -> Bool) -> PlantedFault {
    var fault = self
    fault.isPossible = condition
    return fault
  }

  /// Returns whether a model with the fault contradicts the kernel's answer to a case.
  public func isExposed(by access: AccessCase, answer: Errno) -> Bool {
    var distorted = access
    distort(&distorted)
    guard distorted != access else { return false }
    let outcome = PreparedCase(distorted).verdict().outcome
    return !Comparison.agree(outcome, answer, access.request)
  }
}
