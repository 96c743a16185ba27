extension AccessFacts {
  /// Whether the kernel's own checks say nothing, because a seccomp filter may refuse the call.
  ///
  /// A filter knows no paths: where one check came to anything but EPERM, none of them was stopped
  /// by it.
  var areChecksFiltered: Bool {
    confinement.seccompMode == 2 && !kernelChecks.isEmpty
      && kernelChecks.allSatisfy { $0.errno == ErrorNumber.notPermitted }
  }
}
