// SPDX-License-Identifier: MIT

/// Rows of words from the tests of SQLite's full-text search, which are in the public domain.
enum SQLiteRows {
  private static func rows(_ lines: String) -> [[String]] {
    lines.split(separator: "\n").map { line in
      line.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
    }
  }

  /// 100 rows of two columns, of the test ac.
  static let letters = rows(
    """
    p o q e z k z p n f y u z y n y|l o o l v v k
    p k h h p y l l h i p v n|p p l u r i f a j g e r r x w
    l s z j k i m p s|l w e j t j e e i t w r o p o
    x g y m y m h p|k j j b r e y y a k y
    q m a i y i z|o w a g k x g j m w e u k
    k o a w y b s z|s g l m m l m g p
    d a q i z h b l c p k j g k|p x u j x t v c z
    f d a g o c t i|w f c x l d r k i j
    y g w u b q p o m j y b p a e k|r i d k y w o z q m a t p
    r k o m c c j s x m x m x m q r|y r c a q d z k n x n
    k j q m g q a j d|d d e z g w h c d o o g x d
    j z u m o y q j f w e e w t r j w|g m o r x n t n w i f g l z f
    s y w a w d o h x m k|c w k z b p o r a
    u t h x e g s k n g i|f j w g c s r
    b f i c s u z t k|c k q s j u i z o
    n a f n u s w h y n s i q e w|x g e g a s s h n
    k s q e j n p|t r j f t o e k k l m i
    g d t u w r o p m n m n p h b o u|h s w o s l j e
    f l q y q q g e e x j r|n b r r g e i r t x q k
    f i r g o a w e p i l o a w|e k r z t d g h g i b d i e m
    l d u u f p y|g o m m u x m g l j t t x x u
    m c d k x i c z l|m i a i e u h
    w b f o c g x y j|z d w x d f h i p
    w u i u x t c h k i b|b y k h b v r t g j
    h f d j s w s b a p k|a q y u z e y m m j q r
    d i x y x x k i y f s d j h z p n|l l q m e t c w g y h t s v g
    g s q w t d k x g f m j p k y|r m b x e l t d
    j l s q u g y v e c l o|m f l m m m h g x x l n c
    c t j g v r s b z j|l c f y d t q n
    e x z y w i h l|b n b x e y q e n u m
    g y y h j b w r|q b q f u s k c k g r
    g u l x l b r c m z b u c|k g t b x k x n t e z d h o
    w g v l z f b z h p s c v h|g e w v m h k r g w a r f q
    c g n f u d o y o b|e y o h x x y y i z s b h a j
    v y h c q u u s q y x x k s q|d n r m y k n t i r n w e
    o u c x l e b t a|y b a x y f z x r
    x p h l j a a u u j h|x o f s z m b c q p
    k q t i c a q n m v v|v r z e f m y o
    r w t t t t r v v o e p g h|l w x a g a u h y
    o p v g v b a g o|j t q c r b b g y z
    f s o r o d t h q f x l|r d b m k i f s t d l m y x j w
    t m o t m f m f|i p i q j v n v m b q
    t x w a r l w d t b c o d o|a h f h w z d n s
    t u q c d g p q x j o l c x c|m n t o z z j a y
    v d i i k b f s z r v r z y|g n q y s x x m b x c l w
    p v v a c s z y e o l|m v t u d k m k q b d c v z r
    f y k l d r q w r s t r e|h m v r r l r r t f q e x y
    w l n l t y x|n h s l a f c h u f l x x m v n o
    t n v i k e b p z p d j j l i o|i v z p g u e j s i k n h w d c
    z v x p n l t a j c|e j l e n c e t a d
    w u b x u i v h a i y m m r p m s|s r h d o g z y f f x e
    d c c x b c a x g|p r a j v u y
    f w g r c o d l t u e z h i|j l l s s b j m
    p m t f k i x|u v y a z g w v v m x h i
    l c z g l o j i c d e b|b f v y w u i b e i y
    r h c x f x a d s|z x y k f l r b q c v
    v x x c y h z x b g m o q n c|h n b i t g h a q b c o r u
    d g l o h t b s b r|n u e p t i m u
    t d y e t d c w u o s w x f c h|i o s v y b r d r
    l b a p q n d r|k d c c d n y q h g a o p e x
    f r z v m p k r|x x r i s b a g f c
    s a z i e r f i w c n y v z t k s|y y i r y n l s b w i e k n
    n x p r e x q r m v i b y|f o o z n b s r q j
    y j s u j x o n r q t f|f v k n v x u s o a d e f e
    u s i l y c x q|r k c h p c h b o s s u s p b
    m p i o s h o|s w h u n d m n q t y k b w c
    l d f g m x x x o|s w d d f b y j j h h t i y p j o
    c b m h f n v w n h|i r w i e x r w l z p x u g u l s
    y a h u h i m a y q|d d r x h e v q n z y c j
    c x f d x o n p o b r t b l p l|m i t k b x v f p t m l l y r o
    u t l w w m s|m f m o l t k o p e
    f g q e l n d m z x q|z s i i i m f w w f n g p e q
    n l h a v u o d f j d e x|v v s l f g d g r a j x i f z x
    x v m v f i g q e w|r y s j i k m j j e d g r n o i f
    g d y n o h p s y q z j d w n h w|x o d l t j i b r d o r y
    p g b i u r b e q d v o a g w m k|q y z s f q o h
    u z a q u f i f f b|b s p b a a d x r r i q f
    w h h z t h p o a h h e e|h w r p h k z v y f r x
    c a r k i a p u x|f w l p t e m l
    q q u k o t r k z|f b m c w p s s o z
    t i g v y q s r x m r x z e f|x o j w a u e y s j c b u p p r o
    n j n h r l a r e o z w e|v o r r j a v b
    i f i d k w d n h|o i d z i z l m w s b q v u
    m d g q q b k b w f q q p p|j m q f b y c i z k y q p l e a
    m x o n y f g|y c n x n q j i y c l h b r q z
    v o z l n p c|g n j n t b b x n c l d a g j v
    z n a y f b t k k t d b z a v|r p c n r u k u
    b q t x z e c w|q a o a l o a h i m j r
    j f h o x x a z g b a f a m i b|j z c z y x e x w t
    t c t p r s u c q n|z x l i k n f q l n t
    w t d q j g m r f k n|l e w f w w a l y q k i q t p c t
    c b o k l i c b s j n m b l|y f p q o w g
    f y d j o q t c c q m f j s t|f h e d y m o k
    k x j r m a d o i z j|r t t t f e b r x i v j v g o
    s f e a e t i h h d q p z t q|b k m k w h c
    h b n j t k i h o q u|w n g i t o k c a m y p f l x c p
    f c x p y r b m o l m o a|p c a q s u n n x d c f a o
    u h h k m n k|u b v n u a o c
    s p e t c z d f n w f|l s f j b l c e s h
    r c v w i v h a t a c v c r e|h h u m g o f b a e o
    """)

  /// 100 rows of two columns, whose words begin alike, of the test ad.
  static let beginnings = rows(
    """
    fghij uvwxyz klmn pq uvwx|klmn f fgh uv fghij klmno
    uv f abcd abcd fghi|pq klm uv uv fgh uv a
    klmn klm pqrs fghij uv|f k uvw ab abcd pqr uv
    ab pqrst a fghi ab pqr fg|k klmno a fg abcd
    abcd pqrst uvwx a fgh|f klmno fghij kl pqrst
    uvwxyz k abcde u a|uv k k kl klmn
    uvwxyz k klmn pqrst uv|fghi pqrs abcde u k
    uvwxy klmn u p pqrst fgh|p f fghi abcd uvw kl uv
    f klmno pqrst uvwxy pqrst|uv abcde klm pq pqr
    f abcde a uvwxyz pqrst|fghij abc k uvwx pqr fghij uvwxy
    ab uv f fg pqrst uvwxy|fgh p uv k abc klm uvw
    pq klmno a uvw abcde uvwxyz|fghij pq uvwxyz pqr fghi
    fgh u pq fgh uvw|uvw pqr f uvwxy uvwx
    uvwx klmn f fgh abcd pqr|uvw k fg uv klm abcd
    ab uvwx pqrst pqr uvwxyz pqrs|uvwxyz abcde ab ab uvw abcde
    abc abcde uvwxyz abc kl k pqr|klm k k klmno u fgh
    fghi abcd fghij uv uvwxyz ab uv|klmn pqr a uvw fghi
    abc pqrst fghi uvwx uvw klmn fghi|ab fg pqr pqrs p
    pqr kl a fghij fgh fg kl|pqr uvwxyz uvw abcd uvwxyz
    fghi fghi pqr kl fghi f|klmn u u klmno klmno
    abc pqrst klmno kl pq uvwxy|abc k fghi pqrs klm
    a pqr uvwxyz uv fghi a fgh|abc pqrs pqrst pq klm
    klm abc uvwxyz klm pqrst|fghij k pq pqr u klm fghij
    p klm uv p a a|uvwxy klmn uvw abcde pq
    uv fgh fg pq uvwxy u uvwxy|pqrs a uvw p uvwx uvwxyz fg
    fghij fghi klmn abcd pq kl|fghi abcde pqrs abcd fgh uvwxy
    pq fgh a abc klmno klmn|fgh p k p fg fghij
    fg pq kl uvwx fghij pqrst klmn|abcd uvw abcd fghij f fghij
    uvw fghi p fghij pq fgh uvwx|k fghij abcd uvwx pqr fghi
    klm pq abcd pq f uvwxy|pqrst p fghij pqr p
    ab uvwx fg uvwx klmn klm|klmn klmno fghij klmn klm
    pq k pqr abcd a pqrs|abcd abcd uvw a abcd klmno ab
    pqrst u abc pq klm|abc kl uvwxyz fghij u fghi p
    f uvwxy u k f uvw uvwx|pqrs uvw fghi fg pqrst klm
    pqrs pq fghij uvwxyz pqr|ab abc abc uvw f pq f
    uvwxy ab uvwxy klmno kl pqrs|abcde uvw pqrs uvwx k k
    uvwxyz k ab abcde abc uvw|uvw abcde uvw klmn uv klmn
    k kl uv abcde uvwx fg u|u abc uvwxy k fg abcd
    fghi pqrst fghi pqr pqrst uvwx|u uv uvwx fghi abcde
    k pqrst k uvw fg pqrst fghij|uvwxy ab kl klmn uvwxyz abcde
    fg uvwxy pqrs klmn uvwxyz klm p|k uv ab fghij fgh k pqrs
    uvwx abc f pq uvwxy k|ab uvwxyz abc f fghij
    uvwxy klmno uvwxyz uvwxyz pqrst|uv kl kl klmno k f abcde
    abcde ab pqrs fg f fgh|abc fghij fghi k k
    uvw abcd a ab pqrst klmn fg|pqrst u uvwx pqrst fghij f pqrst
    uvwxy p kl uvwxyz ab pqrst fghi|abc f pqr fg a k
    u p f a fgh|a kl pq uv f
    pqrs abc fghij fg abcde ab a|p ab uv pqrs kl fghi abcd
    abcde uvwxy pqrst uv abc pqr uvwx|uvwxy klm uvwxy uvwx k
    fgh klm abcde klmno u|a f fghij f uvwxyz abc u
    uv uvw uvwxyz uvwxyz uv ab|uvwx pq fg u k uvwxy
    uvwxy pq p kl fghi|pqrs fghi pqrs abcde uvwxyz ab
    pqr p uvwxy kl pqrs klmno fghij|ab abcde abc pqrst pqrs uv
    fgh pqrst p a klmno|ab ab pqrst pqr kl pqrst
    abcd klm ab uvw a fg u|f pqr f abcd uv
    u fg uvwxyz k uvw|abc pqrs f fghij fg pqrs uvwxy
    klm fg p fghi fg a|uv a fghi uvwxyz a fghi
    uvwxy k abcde fgh f fghi|f kl klmn f fghi klm
    klm k fgh uvw fgh fghi|klmno uvwx u pqrst u
    fghi pqr pqrst p uvw fghij|uv pqrst pqrs pq fghij klm
    uvwx klm uvwxy uv klmn|p a a abc klmn ab k
    uvwxy uvwx klm uvwx klm|pqrs ab ab uvwxyz fg
    kl uv uv uvw fg kl k|abcde uvw fgh uvwxy klm
    a abc fgh u klm abcd|fgh pqr uv klmn fghij
    klmn k klmn klmno pqrs pqr|fg kl abcde klmno uvwxy kl pq
    uvwxyz klm fghi abc abcde kl|uvwxy uvw uvwxyz uvwxyz pq pqrst
    pq klm abc pqrst fgh f|u abcde pqrst abcde fg
    u pqrst kl u uvw klmno|u pqr pqrs fgh u p
    abc fghi uvwxy fgh k pq|uv p uvwx uvwxyz ab
    klmno f uvwxyz uvwxy klmn fg ab|fgh kl a pqr abcd pqr
    fghi pqrst pqrst uv a|uvwxy k p uvw uvwx a
    a fghij f p uvw|klm fg abcd abcde klmno pqrs
    uv uvwx uvwx uvw klm|uv fghi klmno uvwxy uvw
    kl uvwxy ab f pq klm u|uvwxy klmn klm abcd pq fg k
    uvw pqrst abcd uvwxyz ab|fgh fgh klmn abc pq
    uvwxyz klm pq abcd klmno pqr uvwxyz|kl f a fg pqr klmn
    uvw uvwxy pqr k pqrst kl|uvwxy abc uvw uvw u
    fgh klm u uvwxyz f uvwxy abcde|uv abcde klmno u u ab
    klmno abc pq pqr fgh|p uv abcd fgh abc u k
    fg pqr uvw pq uvwx|uv uvw fghij pqrs fg p
    abcd pqrs uvwx uvwxy uvwx|u uvw pqrst pqr abcde pqrs kl
    uvwxyz klm pq uvwxy fghij|p pq klm fghij u a a
    uvwx k uvwxyz klmno pqrst kl|abcde p f pqrst abcd uvwxyz p
    abcd abcde klm pqrst uvwxyz|uvw pqrst u p uvwxyz a pqrs
    k klm abc uv uvwxy klm klmn|k abc pqr a abc p kl
    klmn abcd pqrs p pq klm a|klmn kl ab uvw pq
    klmn a pqrs abc uvw pqrst|a pqr kl klm a k f
    pqrs ab uvwx uvwxy a pqr f|fg klm uvwx pqr pqr
    klmno ab k kl u uvwxyz|uv kl uvw fghi uv uvw
    pq fghi pqrst klmn uvwxy abc pqrs|fg f f fg abc abcde klm
    kl a k fghi uvwx fghi u|ab uvw pqr fg a p abc
    uvwx pqrs klmno ab fgh uvwx|pqr uvwx abc kl f klmno kl
    fghij pq pqrs fghij f pqrst|u abcde fg pq pqr fgh k
    fgh u pqrs abcde klmno abc|abc fg pqrst pqr abcde
    uvwx p abc f pqr p|k pqrs kl klm abc fghi klm
    kl p klmno uvwxyz klmn|fghi ab a fghi pqrs kl
    pqr fgh pq uvwx a|uvw klm klmno fg uvwxy uvwx
    fg abc uvwxyz fghi pqrst pq|abc k a ab abcde f
    uvwxy fghi uvwxy u abcde abcde uvw|klmn uvwx pqrs uvw uvwxy abcde
    pq fg fghi uvwx uvwx fghij uvwxy|klmn klmn f abc fg a
    """)

  /// 50 rows of three columns, of the test phrase.
  static let phrases = rows(
    """
    d e a|d i j j f|i j i e b f h
    g a e|f g i g a|h d g i g h c
    e a d|e i h a f|c e h i f b i
    a g c|d j d j c|c d f j i g j
    b c b|j g c d f|j c j d g f b
    j a d|e b i h h|c c f g d i d
    a d f|h g i i i|e a g c i f b
    g f d|f c g b j|b b h h h j j
    f h g|c j f g j|d h d f e b h
    f h d|c i a d b|g b j b a d e
    j h h|j i h a g|d e i e a g j
    a b e|h g a g c|h c a a d e g
    a j g|i h i f i|a g h j g i b
    j h e|f e d i e|i d c f e d c
    d j d|d b i a c|g d h i d b e
    h j e|e b b c f|j a f g h d j
    c b j|c a b a i|h f i d a d c
    e e d|i d f c c|g i d a f e a
    e i g|e a b i h|i f d d a d f
    h g f|b h h j d|i f d e g j a
    e h f|j c b c f|j a j g h a c
    d c h|b g i c e|i i c d e h i
    a h i|a g d f f|e f i i b b h
    d d g|c c b c g|g c h e b c e
    a b b|b f a d i|d a h a b c i
    a f d|a j e a h|j i h j a i f
    d j d|h a d i a|h h f j h g a
    g a e|d g f a g|i d b c g g j
    j e h|g h j h g|d a e j a a h
    e j e|g e j g c|f c e b e e a
    h f f|i j g e c|j j f c a i j
    a g c|c g d b i|g h c b a a f
    c h i|j d h e e|a h i d c c j
    d a c|e d d b j|c e b b h i h
    d f h|c a f c c|j b b c c j f
    b g h|g c c c f|c g c f h e e
    f e a|b h f j h|j g h f d g f
    h f a|a e i j g|f d a f d f c
    f i c|f i i i i|e c f d h j f
    h h d|d i e d i|d f e i a h a
    f g c|d a f c h|b b g j c e g
    h i h|h d j d e|e d b b i e g
    b h i|j e i d a|j j h e e c a
    g i g|f c c f d|a c i c a d a
    c c f|a b j d b|c a e g f e c
    d h j|g c b j d|e a h f h j g
    a a d|j e j a i|i d c f f f b
    b g j|e c i h f|d d h b g a d
    c i a|a c c c c|e h i e h i e
    f f c|f f b i i|f f a j e c i
    """)

  /// Rows of three columns, of the test ag.
  static let ranks = rows(
    """
    j s m y m r n l u k|z k f u z g h s w g|r n o s s b v n w w
    m v g n d x q r r s|q t d a q a v l h j|s k l f s i n v q v
    m f f d h h s o h a|y e v r q i u m h d|b c k q m z l z h n
    j e m v k p e c j m|m p v z d x l n i a|v p u p m t p q i f
    v r w l e e t d z p|c s b w k m n k o u|w g y f v w v w v p
    k d g o u j p z n o|t g e q l z i g b j|f i q q j y h b g h
    j s w x o t j b t m|v a v v r t x c q a|r t k x w u l h a g
    j y b i u d e m d w|y s o j h i n a u p|n a g b u c w e b m
    b c k s c w j p w b|m o c o w o b d q q|n t y o y z y r z e
    p n q l e l h z q c|n s e i h c v b b u|m p d i t a o o f f
    k c o n v e z l b m|s m n i n s d e s u|t a u e q d a o u c
    h d t o i a g b b p|k x c i g f g b b k|x f i v n a n n j i
    f z k r b u s k z e|n z v z w l e r h t|t i s v v a v p n s
    k f e c t z r e f d|f m g r c w q k b v|v y s y f r b f e f
    z r c t d q q h x b|u c g z n z u v s s|y t n f f x b f d x
    u n p n u t i m e j|p j j d m f k p m z|d o l v c o e a h w
    h o q w t f v i c y|c q u n r z s l l q|z x a q w s b w s y
    y m s x k i m n x c|b i a n v h z n k a|w l q p b h h g d y
    z v s j f p v l f w|c s b i z e k i g c|x b v d w j f e d z
    r k k j e o m k g b|h b d c h m y b t u|u j s h k z c u d y
    v h i v s y z i k l|d t m w q w c a z p|r s e s x v d w k b
    u r e q j y h o o s|x x z r x y t f j s|k n h x i i u e c v
    q l f d a p w l q o|y z q w j o p b o v|s u h z h f d f n l
    q o e o x x l g q i|j g m h q q w c d b|o m d h w a g b f n
    m x k t s s y l v a|j x t c a u w b w g|n f j b v x y p u t
    u w k a q b u w k w|a h j u o w f s k p|j o f s h y t j h g
    x v b l m t l m h l|t p y i y i q b q a|k o o z w a c h c f
    j g c d k w b d t v|a k v c m a v h v p|i c a i j g h l j h
    l m v l c z j b p b|z p z f l n k i b a|j v q k g i x g i b
    m c i w u z m i s z|i z r f n l q z k w|x n b p b q r g i z
    d g i o o x l f x d|r t m f b n q y c b|i u g k w x n m p o
    t o s i q d z x d t|v a k s q z j c o o|z f n n r l y w v v
    w k h d t l j g n n|r z m v y b l n c u|v b v s c l n k g v
    m a g r a b u u n z|u y l h v w v k b f|x l p g i s j f x v
    v s g x k z a k a r|l t g v j q l k p l|f h n a x t v s t y
    z u v u x p s j y t|g b q e e g l n w g|e n p j i g j f u r
    q z l t w o l m p e|t s g h r p r o t z|y b f a o n u m z g
    d t w n y b o g f o|d a j e r l g g s h|d z e l w q l t h f
    f l u w q v x j a h|f n u l l d m h h w|d x c c e r o d q j
    b y f q s q f u l g|u z w l f d b i a g|m v q b g u o z e z
    h z p t s e x i v m|l h q m e o x x x j|e e d n p r m g j f
    k h s g o n s d a x|u d t t s j o v h a|z r b a e u v o e s
    m b b g a f c p a t|w c m j o d b l g e|f p j p m o s y v j
    c r n h d w c a b l|s g e u s d n j b g|b o n a x a b x y l
    r h u x f c d z n o|x y l g u m i i w d|t f h b z v r s r g
    t i o r b v g g p a|d x l u q k m o s u|j f h t u n z u k m
    g j t y d c n j y g|w e s k v c w i g t|g a h r g v g h r o
    e j l a q j g i n h|d z k c u p n u p p|t u e e v z v r r g
    l j s g k j k h z l|p v d a t x d e q u|r l u z b m g k s j
    i e y d u x d i n l|p f z k m m w p u l|z l p m r q w n d a
    """)

  /// 30 rows of three columns, of the test multi.
  static let pairs = rows(
    """
    gg bb bb|gg ff gg|ii ii
    dd dd hh kk|jj|aa
    kk gg ee|hh cc|hh jj aa cc
    hh|bb jj cc|kk ii
    kk dd kk ii|aa ee aa|ee
    ee|ff gg kk aa|ee ff ee
    ff jj|gg ee|kk ee gg kk
    ff ee dd hh|kk ee|gg dd
    bb|aa|bb aa
    hh cc bb|ff bb|cc
    jj|ff dd bb aa|dd dd ff ff
    ff dd gg dd|gg aa bb ff|cc
    ff aa cc jj|kk|ii dd
    jj dd|cc|ii hh ee aa
    ff ii hh|dd|gg
    ff dd gg hh|hh|ff dd
    cc cc|ff dd ff|bb
    ii|bb ii|jj kk
    ff hh|hh bb|bb dd ee
    jj kk|jj|gg ff cc
    dd kk|ii gg|dd
    cc|aa ff|ii
    bb ff bb ii|bb kk bb aa|hh ff ii dd
    aa|ee bb jj jj|dd
    kk dd cc|aa jj|ee aa ff
    aa gg aa|jj|ii kk hh gg
    ff hh aa|jj ii|hh dd bb jj
    hh|aa gg kk|bb ee
    bb|ee|gg
    dd kk|kk bb aa|ee
    """)

  /// 14 rows of two columns, of the test vocab.
  static let vocabulary = rows(
    """
    g a ggg g a b eee|cc d aa ff g ee
    dd fff i a i jjj|f fff hh jj e f
    ggg a f f fff dd aa|d ggg f f j gg ddd
    e bb h jjj ii gg|e aa e f c fff
    j ff aa a h|h a j bbb bb
    cc i ff c d f|dd ii fff f c cc d
    jjj g i bb cc eee|hhh iii aaa b bbb aaa
    hhh hhh hhh bb fff f|fff gg aa ii h a
    b c cc aaa iii ggg f|iii ff ee a ff c cc
    hhh b hhh aaa j i i|dd ee ee aa bbb iii
    hh dd h b g ff i|ccc bb cc ccc f a d
    g d b ggg jj|fff jj ff jj g gg ee
    g ee ggg ggg cc bb eee|aa j jjj bbb dd eee ff
    c jjj hh ddd dd h|e aaa h jjj gg
    """)
}
