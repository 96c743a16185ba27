public import AccessModel

/// A mistake that an engine could make, planted by showing the model another case than the
/// kernel saw.
///
/// The comparison has to notice each of them; one that it misses is a corner that the generator
/// does not reach.
public struct PlantedFault: Sendable, CustomStringConvertible {
  /// What an engine with the fault would get wrong.
  public let description: String
  /// Whether cases with these options can show it.
  public private(set) var isPossible: @Sendable (GeneratorOptions) -> Bool = { _ in true }
  /// The case as such an engine would see it.
  public let distort: @Sendable (inout AccessCase) -> Void

  public init(_ description: String, _ distort: @escaping @Sendable (inout AccessCase) -> Void) {
    self.description = description
    self.distort = distort
  }

  /// The same fault, which only some options can show.
  func needing(_ condition: @escaping @Sendable (GeneratorOptions) -> Bool) -> PlantedFault {
    var fault = self
    fault.isPossible = condition
    return fault
  }

  /// Whether an engine with the fault contradicts the kernel in a case.
  public func isExposed(by access: AccessCase, answer: Errno) -> Bool {
    var distorted = access
    distort(&distorted)
    guard distorted != access else { return false }
    let outcome = PreparedCase(distorted).verdict().outcome
    return !Comparison.agree(outcome, answer, access.request)
  }
}
