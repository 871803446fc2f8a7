import Testing

@testable import FormModel

@Suite struct AddressValidatorTests {
  private static func repeated(_ text: String, _ count: Int) -> String {
    String(repeating: text, count: count)
  }

  static let addresses = [
    "a@example.com", "first.last+tag@sub.example.co.uk", "!#$%&'*+-/=?^_`{|}~@example.com",
    #""quoted space"@example.com"#, #""a@b\"c\\"@example.com"#, #"""@example.com"#,
    #""用户 x"@example.com"#, "用户@例子.测试", "user@xn--fsqu00a.xn--0zwm56d",
    "Dörte@Sörensen.example.com", "e\u{301}@e\u{301}.com", "उपयोगकर्ता@उदाहरण.भारत", "1@1.cn",
    "a@a-b.c--d.com",
    "A@EXAMPLE.COM", "user@[192.0.2.1]", "user@[IPv6:2001:db8::1]", "user@[ipv6:::]",
    "user@[IPv6:1:2:3:4:5:6:7:8]", "user@[IPv6:::ffff:192.0.2.1]", "a@3com.com", "a@163.com",
    repeated("a", 64) + "@example.com", repeated("中", 21) + "a@example.com",
    "a@" + repeated("b", 63) + ".com",
    // 254 octets.
    "a@" + repeated(repeated("b", 49) + ".", 5) + "cn",
  ]

  static let noAddresses = [
    "", "@", "a", "a@", "@example.com", "a@b@c.com", ".a@example.com", "a.@example.com",
    "a..b@example.com", "a@example..com", "a@.example.com", "a@example.com.", "a@-example.com",
    "a@example-.com", "a@example.com-", "a＠example.com", "a@example。com", "a@localhost",
    "a@exam_ple.com", "a@example.com ", " a@example.com", "a b@example.com", "a@exa mple.com",
    "a(comment)@example.com", "<a@example.com>", "A <a@example.com>", "a,b@example.com",
    "a@example.com\n", "a\u{0}@example.com", "a\u{200B}@example.com", "a@exam\u{200B}ple.com",
    "😀@example.com", "a@😀.com", "a@1.2.3.4", "a@example.123", #"a"b"@example.com"#,
    #""a"b@example.com"#, #""a"b"@example.com"#, #""a\"@example.com"#, #"""#, #""@example.com"#,
    "\"a\nb\"@example.com", "\"a\\\nb\"@example.com", "\"a\u{200B}\"@example.com",
    #""a\中"@example.com"#,
    "a@[]", "a@[256.0.0.1]", "a@[1.2.3]", "a@[01.2.3.4]", "a@[2001:db8::1]", "a@[IPv6:]",
    "a@[IPv6:1::2::3]", "a@[IPv6:1:2:3]", "a@[IPv6:::1%eth0]", "a@[192.0.2.1", "a@192.0.2.1]",
    "a@[tag:x]", "a@b,com",
    repeated("a", 65) + "@example.com", repeated("中", 22) + "@example.com",
    "a@" + repeated("b", 64) + ".com", "a@" + repeated("中", 22) + ".com",
    "ab@" + repeated(repeated("b", 49) + ".", 5) + "cn",
    "user@" + repeated(repeated("a", 63) + ".", 3) + repeated("a", 58) + ".com",
  ]

  @Test(arguments: addresses) func emailAddresses(_ text: String) {
    #expect(EmailAddress.isValid(text))
  }

  @Test(arguments: noAddresses) func noEmailAddresses(_ text: String) {
    #expect(!EmailAddress.isValid(text))
  }

  static let webURLs = [
    "http://example.com", "https://example.com/", "HTTPS://EXAMPLE.COM", "http://localhost",
    "http://localhost:8080/a", "http://example.com.", "http://example.com:", "http://a:0",
    "http://a:65535/", "http://192.0.2.1", "http://192.0.2.1:80/", "http://[::1]",
    "https://[2001:db8::1]:443/x", "http://[1:2:3:4:5:6:7:8]", "http://[::ffff:192.0.2.1]/",
    "http://[1::]", "http://例子.测试/路径?查=询#段", "http://xn--fsqu00a.xn--0zwm56d",
    "http://example.com?q", "http://example.com#f", "http://example.com/?#",
    "http://example.com/a/b;c=1/../d?x=1&y=%E4%B8%AD%2f#a?/b", "http://example.com//a//",
    "http://e.com/-._~!$&'()*+,;=:@", "http://163.com", "http://e.com/😀",
    "http://e\u{301}.com/e\u{301}",
  ]

  static let noWebURLs = [
    "", "http", "http:", "http:/", "http://", "http:///a", "http://?q", "http://#f", "http://:80",
    "example.com", "www.example.com", "//example.com", "ftp://example.com", "httpss://example.com",
    "javascript:alert(1)", "mailto:a@example.com", " http://example.com", "http://example.com ",
    "http ://example.com", "http://exa mple.com", "http://example.com/a b", "http://example.com/\n",
    "http://example.com/\u{0}", "http://example.com/\u{3000}", "http://example.com/\u{202C}",
    "http://user@example.com", "http://user:password@example.com", "http://-a.com",
    "http://a-.com", "http://a..com", "http://.com", "http://a.com..", "http://a_b.com",
    "http://a%41.com", "http://a.com:65536", "http://a.com:x", "http://a.com:123456",
    "http://a.com:80:80", "http://a.com:-1", "http://1.2.3", "http://256.1.1.1", "http://1.2.3.4.",
    "http://01.2.3.4", "http://[::1", "http://[::1]a", "http://[::1]:x", "http://[]",
    "http://[:::]", "http://[1:2]", "http://[1:2:3:4:5:6:7:8:9]", "http://[1::2::3]",
    "http://[:1:2:3:4:5:6:7]", "http://[1:2:3:4:5:6:7:]", "http://[12345::]", "http://[g::]",
    "http://[1:2:3:4:5:6:7::8]", "http://[1.2.3.4::]", "http://[::1.2.3]", "http://[1.2.3.4]",
    "http://::1", "http://e.com/%", "http://e.com/%4", "http://e.com/%4g", "http://e.com/%中",
    "http://e.com/a\\b", "http://e.com/<a>", "http://e.com/\"", "http://e.com/{a}",
    "http://e.com/a|b", "http://e.com/^", "http://e.com/`", "http://e.com/#a#b",
    "http://e.com/[a]", "http://e.com/?a[]=1", "http:\\\\e.com", "http://e.com，x",
    "http://" + repeated("a", 64) + ".com", "http://" + repeated("a.", 130) + "com",
  ]

  @Test(arguments: webURLs) func urls(_ text: String) {
    #expect(WebURL.isValid(text))
  }

  @Test(arguments: noWebURLs) func noURLs(_ text: String) {
    #expect(!WebURL.isValid(text))
  }
}
