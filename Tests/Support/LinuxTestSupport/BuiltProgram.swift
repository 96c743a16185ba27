internal import Glibc

/// Finds programs of this package in the build directory of the test bundle.
public enum BuiltProgram {
  /// Returns the path of a program; `nil` if it was not built.
  public static func path(_ name: String) -> String? {
    var buffer = [CChar](repeating: 0, count: 4096)
    let length = unsafe readlink("/proc/self/exe", &buffer, buffer.count)
    let bytes = buffer[..<max(0, length)].map { UInt8(truncatingIfNeeded: $0) }
    var files = [String(decoding: bytes, as: UTF8.self)]
    files += CommandLine.arguments.filter { $0.hasSuffix(".xctest") }
    return files.map { file in
      file.split(separator: "/").dropLast().reduce(into: "") { $0 += "/" + $1 } + "/" + name
    }
    .first { unsafe access($0, X_OK) == 0 }
  }
}
