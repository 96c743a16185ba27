public import AccessModel

/// A case for which the kernel and the model give different answers.
public struct Disagreement: Error, Sendable, CustomStringConvertible {
  public let access: AccessCase
  /// The result of the system call.
  public let kernel: Errno
  /// The decision of the model.
  public let model: Decision

  public init(access: AccessCase, kernel: Errno, model: Decision) {
    self.access = access
    self.kernel = kernel
    self.model = model
  }

  /// Both answers on one line, and the case on another.
  ///
  /// The case can be passed to `devaccess decide` or ``KernelOracle``.
  public var description: String {
    let said: String
    switch model.outcome {
    case .granted: said = "granted"
    case .denied(let errno): said = "\(errno)"
    case .undecided(let reason): said = "undecided, \(reason)"
    }
    let kernelSaid = kernel == 0 ? "granted" : kernel.name
    return """
      case \(access.id): kernel \(kernelSaid); model \(said) by \(model.rule?.rawValue ?? "no rule") \
      at \(model.at ?? "no node")
      \(CaseLine.text(of: access))
      """
  }
}
