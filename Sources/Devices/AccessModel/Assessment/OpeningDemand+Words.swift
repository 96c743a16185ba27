extension OpeningDemand {
  /// The error with which the open fails.
  var errno: Errno {
    switch self {
    case .capability, .memory, .capabilityInside, .kernelLog: .notPermitted
    case .terminal: .noSuchAddress
    case .attribute, .tracing: .permissionDenied
    }
  }

  /// Returns the requirement as a clause about the object.
  func words(_ confinement: borrowing ConfinementFacts) -> String {
    switch self {
    case .capability(let capability):
      "its driver asks for \(capability.constant) in the initial user namespace"
    case .memory(let level):
      switch confinement.lockdown {
      case let lockdown? where lockdown >= level:
        "the kernel is locked down (\(lockdown.rawValue)) and does not open it (kernel_lockdown(7))"
      case nil:
        """
        the kernel asks for \(Capability.rawInputOutput.constant) in the initial user namespace, and \
        may not be locked down (kernel_lockdown(7)), which is not known
        """
      default:
        "the kernel asks for \(Capability.rawInputOutput.constant) in the initial user namespace"
      }
    case .capabilityInside(let capability): "its driver asks for \(capability.constant)"
    case .kernelLog(isAlways: true):
      "the kernel asks for \(Capability.readKernelLog.constant) in the initial user namespace"
    case .kernelLog(isAlways: false):
      """
      to read it, its driver asks for \(Capability.readKernelLog.constant) in the initial user \
      namespace where kernel.dmesg_restrict is set
      """
    case .attribute(let missing):
      """
      its mode has no \(missing.contains(.write) ? "write" : "read") bit, which sysfs requires \
      whatever capabilities the process has
      """
    case .terminal:
      confinement.hasTerminal == false
        ? "the process has no controlling terminal (tty(4))"
        : "it is the controlling terminal, and whether the process has one is not known (tty(4))"
    case .tracing: "the kernel asks whether the process may trace that one (ptrace(2))"
    }
  }

  /// Returns the capability that would meet the requirement; `nil` if there is none.
  func capability(_ confinement: borrowing ConfinementFacts) -> Capability? {
    switch self {
    case .capability(let capability), .capabilityInside(let capability): capability
    case .memory(let level):
      if let lockdown = confinement.lockdown, lockdown >= level { nil } else { .rawInputOutput }
    case .kernelLog: .readKernelLog
    case .attribute, .terminal: nil
    case .tracing: .traceProcesses
    }
  }
}
