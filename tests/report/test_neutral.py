"""What must not leave a company does not."""

from __future__ import annotations

from reducer.report.neutral import (
    neutral,
    outline,
    prose,
    rename,
    rename_in_pattern,
    rename_words,
    strings,
    symbols,
    with_string,
)

SECRET = """\
// The secret model of Acme.
func.func private @acme_helper(tensor<2xf32>) -> tensor<2xf32>

func.func @acme_net(%image: tensor<2xf32>, %value: f32) -> tensor<4xf32> attributes {acme.layer = "acme stem"} {
  %acme_weights = arith.constant dense<[1.2345, 6.789]> : tensor<2xf32>
  %0 = arith.addf %image, %acme_weights : tensor<2xf32>
  %acme_pad = tensor.pad %0 low[1] high[1] { // acme padding
  ^bb0(%i: index):
    tensor.yield %value : f32
  } : tensor<2xf32> to tensor<4xf32>
  return %acme_pad : tensor<4xf32>
}
"""


def test_symbols_are_named_by_what_they_are() -> None:
    assert symbols(SECRET) == {"acme_helper": "f1", "acme_net": "main"}
    text = "util.global private @w = 1 : i32\nutil.func @a() {\n  util.call @b()\n}\nutil.func @b() {\n}\n"
    assert symbols(text) == {"w": "s1", "a": "main", "b": "f1"}
    assert neutral('func.func @"x y"() {\n  call @"x y"()\n}') == "func.func @main() {\n  call @main()\n}"


def test_words_of_other_programs_lose_their_names() -> None:
    assert rename("func.func @acme_net result 0 (@acme_old)", {"acme_net": "main"}) == "func.func @main result 0 (@_)"


def test_values_called_after_symbols_are_renamed_with_them() -> None:
    text = "func.func @f() {\n  %acme_w = util.global.load @acme_w : f32\n  %acme_w_0 = g @acme_w(%acme_wide)\n}\n"
    assert "%s1 = util.global.load @s1 : f32" in neutral(text)
    assert "%s1_0 = g @s1(%acme_wide)" in neutral(text)


def test_prose_names_nothing_and_quotes_nothing() -> None:
    names = {"acme_net": "main", "add": "f1", "old": "_"}
    said = """'func.call' op 'acme_net' has {layer = "acme stem"} in acme_net$async_dispatch_3 of linalg.add, @old"""
    assert prose(said, names) == "'func.call' op 'main' has {layer = \"…\"} in main$async_dispatch_3 of linalg.add, @_"
    assert rename_in_pattern("unscoped acme_net, acme_nets", names) == "unscoped main, acme_nets"
    assert rename_words(r"in acme_net\$async_dispatch_3 \(@add\)", names) == r"in main\$async_dispatch_3 \(@f1\)"


def test_strings_that_may_be_the_authors_own() -> None:
    text = 'x {k = "acme", d = "parallel", e = "", f = "acme"} "stablehlo.pad"(%0) dense<"0x00">\n{-# "blob" #-}\n'
    assert strings(text) == ('"acme"',)
    assert with_string(text, '"acme"', '"t1"').startswith('x {k = "t1", d = "parallel", e = "", f = "t1"} "stablehlo')


def test_an_outline_has_no_strings_weights_or_blobs() -> None:
    text = outline(
        'func.func @acme(%0: tensor<2xf32>) attributes {layer = "acme"} {\n'
        "  %1 = arith.constant dense<[1.25, 2.5, 3.75, 4.125, 5.0]> : tensor<5xf32>\n"
        "  %2 = arith.constant dense_resource<acme_blob> : tensor<8xf32>\n"
        '  %3 = arith.constant dense<"0x0011223344556677889900AABBCCDDEEFF"> : tensor<8xf32>\n'
        '  %4 = linalg.generic {iterator_types = ["parallel"]}\n}\n{-#\n  acme_blob: "0x00"\n#-}\n'
    )
    for secret in ("acme", "1.25", "0x00", "blob"):
        assert secret not in text
    assert 'iterator_types = ["parallel"]' in text
    assert "dense<…> : tensor<5xf32>" in text
    assert "dense_resource<…>" in text


def test_an_outline_has_no_fractions() -> None:
    text = """func.func @acme(%arg0: tensor<2xf32>) -> f32 {
  %c = arith.constant 3.250000e-02 : f32
  %z = arith.constant 0.000000e+00 : f32
  %o = arith.constant -1.000000e+00 : f16
  %n = arith.constant 0x7FC00000 : f32
  %d = arith.constant dense<2.500000e-01> : tensor<2xf32>
  %i = arith.constant dense<[3, 4]> : tensor<2xi32>
}
"""
    shown = outline(text)
    assert [line.split(" = arith.constant ")[-1] for line in shown.splitlines()[1:7]] == [
        "… : f32", "0.000000e+00 : f32", "-1.000000e+00 : f16", "… : f32", "dense<…> : tensor<2xf32>",
        "dense<[3, 4]> : tensor<2xi32>",
    ]  # fmt: skip
    assert "tensor<2xf32>) -> f32" in shown
