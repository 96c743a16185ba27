public import AccessModel

/// A case that the model and the kernel answer differently.
public struct Disagreement: Error, Sendable, CustomStringConvertible {
  public let access: AccessCase
  /// What the system call answered.
  public let kernel: Errno
  /// What the model answers.
  public let model: Decision

  public init(access: AccessCase, kernel: Errno, model: Decision) {
    self.access = access
    self.kernel = kernel
    self.model = model
  }

  /// Two lines: what both say, and the case in the documented format, to be given to
  /// `devaccess decide` or to ``KernelOracle``.
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
