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
