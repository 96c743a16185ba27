import Testing

@testable import AccessModel

struct ShellWordTests {
  static let rows: [(String, String)] = [
    ("/dev/video0", "/dev/video0"),
    ("", "''"),
    ("/home/al ice/Pictures", "'/home/al ice/Pictures'"),
    ("$(reboot)", "'$(reboot)'"),
    ("a;rm -rf /", "'a;rm -rf /'"),
    ("`id`", "'`id`'"),
    ("it's", #"'it'\''s'"#),
    ("'", #"''\'''"#),
    ("a'\u{301};reboot;'\u{20D7}", "'a'\\''\u{301};reboot;'\\''\u{20D7}'"),
    ("a\"b\\c", #"'a"b\c'"#),
    ("~root", "'~root'"),
    ("a*b?[c]", "'a*b?[c]'"),
    ("a=b", "'a=b'"),
    ("=b", "'=b'"),
    ("--user=bob", "--user=bob"),
    ("--a=b=c", "--a=b=c"),
    ("--user=~root", "'--user=~root'"),
    ("--user=a b", "'--user=a b'"),
    ("#x", "'#x'"),
    ("Bilder/Übersee", "'Bilder/Übersee'"),
    ("a\nb", #"$'a\nb'"#),
    ("a\tb'c\\d", #"$'a\tb\047c\134d'"#),
    ("\u{1B}[2J", #"$'\033[2J'"#),
    ("\u{7F}", #"$'\177'"#),
    ("a\u{202E}b", #"$'a\342\200\256b'"#),
    ("\u{9B}31m", #"$'\302\23331m'"#),
    ("\0", #"$'\000'"#),
  ]

  @Test(arguments: rows)
  func `a word is quoted so that a shell reads the same text`(text: String, quoted: String) {
    #expect(text.shellQuoted == quoted)
  }

  @Test(arguments: rows)
  func `a quoted word holds nothing that a terminal would act on`(text: String, quoted: String) {
    #expect(
      text.shellQuoted.unicodeScalars.allSatisfy { scalar in
        scalar.value >= 0x20 && scalar.value != 0x7F && !(0x80..<0xA0).contains(scalar.value)
      })
  }
}
