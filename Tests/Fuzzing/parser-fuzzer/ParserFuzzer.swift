internal import Glibc
internal import ParserFuzzing

/// Ends the process as the fuzzer expects it of a fault.
func fail(_ message: String, _ status: Int32) -> Never {
  var text = "parser-fuzzer: \(message)\n"
  text.withUTF8 { bytes in _ = unsafe write(2, bytes.baseAddress, bytes.count) }
  exit(status)
}

/// The parser that the environment variable `FUZZED_PARSER` names.
func chosenParser() -> FuzzedParser {
  guard let name = unsafe getenv("FUZZED_PARSER").map({ unsafe String(cString: $0) }),
    let parser = FuzzedParser(name)
  else {
    fail(
      "FUZZED_PARSER must be one of \(FuzzedParser.all.map(\.name).joined(separator: " "))", 64)
  }
  return parser
}

#if FUZZING
  private let parser = chosenParser()

  /// What libFuzzer calls with every input; its own `main` is linked with it.
  @_cdecl("LLVMFuzzerTestOneInput")
  public func testOneInput(_ data: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    do {
      try parser.feed(unsafe Array(UnsafeBufferPointer(start: data, count: count)))
    } catch {
      // A trap, so that the input is kept.
      fatalError(error.description)
    }
    return 0
  }
#else
  /// Without the fuzzer it feeds standard input once, for a debugger.
  @main
  enum ParserFuzzer {
    static func main() {
      let parser = chosenParser()
      var bytes: [UInt8] = []
      var buffer = [UInt8](repeating: 0, count: 1 << 16)
      while case let count = unsafe read(0, &buffer, buffer.count), count > 0 {
        bytes += buffer[..<count]
      }
      do {
        print(try parser.feed(bytes) ? "understood" : "refused")
      } catch {
        fail(error.description, 1)
      }
    }
  }
#endif
