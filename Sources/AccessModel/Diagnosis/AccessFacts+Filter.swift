extension AccessFacts {
  /// Whether the kernel's own checks say nothing, because a seccomp filter may refuse the call.
  ///
  /// A filter knows no paths: it refuses the check of `/` as well, which nothing else answers with
  /// EPERM.
  var areChecksFiltered: Bool {
    confinement.seccompMode == 2 && !isFilterPassed && kernelChecks.contains { $0.path == "/" }
  }

  /// Whether some check came to anything but EPERM, so that no filter stopped any of them.
  var isFilterPassed: Bool {
    confinement.seccompMode == 0
      || kernelChecks.contains { $0.errno != ErrorNumber.notPermitted }
  }
}
