extension ConfinementFacts {
  /// Returns whether the running kernel is known to be older than a release.
  func hasKernel(before release: String) -> Bool {
    kernelRelease.map { release.isNewerKernel(than: $0) } ?? false
  }

  /// The version of Fedora that the release of the kernel names, as in `6.11.5-200.fc40.x86_64`.
  var fedoraVersion: Int? {
    guard let release = kernelRelease, let mark = release.firstRange(of: ".fc") else { return nil }
    return Int(release[mark.upperBound...].prefix { $0.isNumber })
  }
}

extension String {
  /// Returns whether this kernel release is newer than another one.
  ///
  /// The comparison uses only the numbers in the releases.
  func isNewerKernel(than other: String) -> Bool {
    let numbers = { (release: String) in
      release.split { !("0"..."9").contains($0) }.compactMap { Int($0) }
    }
    return numbers(other).lexicographicallyPrecedes(numbers(self))
  }
}
