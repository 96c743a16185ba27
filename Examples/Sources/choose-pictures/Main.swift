import Glibc

/// Has a person choose pictures: `choose-pictures`.
@main struct Main {
  static func main() async {
    exit(await Program(output: { print($0) }).run())
  }
}
