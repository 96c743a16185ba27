/// How deep a JSON text nests.
enum JSONDepth {
  /// The depth of a text that an encoder wrote.
  static func of(_ bytes: [UInt8]) -> Int {
    unsafe bytes.withUnsafeBufferPointer { bytes in
      var (depth, deepest) = (0, 0)
      var isInside = false
      var index = 0
      while index < bytes.count {
        let byte = unsafe bytes[index]
        index += 1
        if isInside {
          if byte == UInt8(ascii: "\\") {
            index += 1
          } else if byte == UInt8(ascii: "\"") {
            isInside = false
          }
          continue
        }
        switch byte {
        case UInt8(ascii: "\""): isInside = true
        case UInt8(ascii: "["), UInt8(ascii: "{"):
          depth += 1
          deepest = max(deepest, depth)
        case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
        default: break
        }
      }
      return deepest
    }
  }
}
